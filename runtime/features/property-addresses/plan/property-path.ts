import { complexTypeOf, type Field, fieldOf, isDynamicName, openColumn } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt, suggestion } from '../../../errors/suggest.js';
import type { PathPart } from '../../../uri/resource-path.js';
import { castOf, placeOf, propertyOf, storedExpr } from '../../../plan/check/property-expr.js';
import { suffixHint } from '../../../plan/path/mistaken-segments.js';
import { itemField, itemStep, ordinalOf } from './item-step.js';
import type { PathContext, PropertyTarget, RecordTarget, Target } from '../../../plan/path/path-target.js';
import { ended, requireNoKey } from '../../../plan/read/path-segments.js';
import type { DynamicExpr, PropertyExpr } from '../../../plan/typed-expr.js';

/** The target of a path that goes on with a property of an entity; undefined where the entity's type has no such property. */
export function propertyAt(target: RecordTarget, rest: readonly PathPart[], context: PathContext): Target | undefined {
  const [next, ...further] = rest;
  if (next === undefined) return undefined;
  const field = fieldOf(target.type, next.name);
  if (field) {
    const value = storedExpr(target, next.name, field);
    return fromProperty({ kind: 'property', name: next.name, field, value, suffix: '', ...target }, further, context);
  }
  if (!isDynamicName(target.type, next.name)) return undefined;
  return dynamicProperty({ ...target, kind: 'property', name: '', field: untyped, value: openValue(target.alias), suffix: '' }, rest);
}

/** The path after a property: its raw value, its number of items, some of them, or members of a complex value. */
export function fromProperty(target: PropertyTarget, rest: readonly PathPart[], context: PathContext): Target {
  const [next, ...further] = rest;
  if (next === undefined) return target;
  if (next.filter) throw filtered(target);
  if (next.name === '$value' && !target.field.collection && target.field.complex === undefined)
    return ended({ ...target, suffix: '$value' }, further);
  if (next.name === '$count' && target.field.collection) return ended({ ...target, suffix: '$count' }, further);
  const ordinal = ordinalOf(next.name);
  if (ordinal !== undefined && target.field.collection) return fromProperty(itemTarget(target, ordinal, context), further, context);
  if (target.field.complex !== undefined && !target.field.collection && ordinal === undefined && !next.name.startsWith('$'))
    return withinComplex(target, next, further, context);
  if (target.field.complex !== undefined && next.name.includes('.'))
    return fromProperty(castItems(target, next, context), further, context);
  throw errors.notFound(`${next.name} beneath ${target.name}`, beneathHint(next.name, target)).at(excerpt(next.name)).in(next);
}

function beneathHint(name: string, { name: whole, field }: PropertyTarget): string {
  if (name.startsWith('$')) return suffixHint(name);
  if (ordinalOf(name) !== undefined) return ' A number in a path is the ordinal of an item, but this is not a collection.';
  return field.collection && field.complex !== undefined
    ? ` The properties of an item follow its ordinal: write ${whole}/0/${name} for that of the first item.`
    : suggestion(name, [field.collection ? '$count' : '$value']);
}

// URL conventions 4.10: counted from zero, or from the end.
function itemTarget({ cast, ...target }: PropertyTarget, ordinal: number, { container }: PathContext): PropertyTarget {
  const { name, field, value, items = [] } = target;
  const step = itemStep(name, value, ordinal, cast && complexTypeOf(container, field));
  return { ...target, name: `${name}/${ordinal}`, field: itemField(field), value: step.item, items: [...items, step] };
}

// URL conventions 4.12.
function filtered({ name, field }: PropertyTarget): Error {
  return field.collection
    ? errors
        .notImplemented(`/$filter(...) after ${name}, a collection of values,`, 'Write the condition as $filter=... after the path.')
        .at('/$filter')
    : errors.typeMismatch(`/$filter(...) needs a collection before it, but ${name} is a single value.`).at('/$filter');
}

// Those of a collection that are of the type (URL conventions 4.11).
function castItems(target: PropertyTarget, part: PathPart, { container }: PathContext): PropertyTarget {
  const complex = complexTypeOf(container, target.field);
  const cast = castOf(target.value, complex, part.name, { container, option: part.name });
  requireNoKey(part);
  return {
    ...target,
    name: `${target.name}/${part.name}`,
    field: { ...target.field, complex: cast.complex.qualifiedName },
    ...(cast.complex !== complex && { cast: true }),
  };
}

function withinComplex(target: PropertyTarget, next: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  const complex = complexTypeOf(context.container, target.field);
  if (next.name.includes('.')) {
    const cast = castOf(target.value, complex, next.name, { container: context.container, option: next.name });
    requireNoKey(next);
    return fromProperty(
      {
        ...target,
        name: `${target.name}/${next.name}`,
        field: { ...target.field, complex: cast.complex.qualifiedName, nullable: true },
        value: cast.value,
      },
      rest,
      context,
    );
  }
  const field = fieldOf(complex, next.name);
  if (field === undefined && isDynamicName(complex, next.name))
    return dynamicProperty({ ...target, name: `${target.name}/`, field: untyped }, [next, ...rest]);
  if (field === undefined)
    throw errors.notFound(`${next.name} in ${complex.name}`, suggestion(next.name, Object.keys(complex.fields))).at(next.name);
  requireNoKey(next);
  return fromProperty(
    { ...target, name: `${target.name}/${next.name}`, field, value: propertyOf(placeOf(target.value), next.name, field) },
    rest,
    context,
  );
}

// A property without a known type.
const untyped: Field = { type: 'Edm.ComplexType' };

function openValue(alias: string): PropertyExpr {
  return { kind: 'column', type: 'Edm.ComplexType', collection: false, nullable: false, alias, column: openColumn };
}

function dynamicProperty(target: PropertyTarget, path: readonly PathPart[]): Target {
  const last = path.at(-1)?.name;
  const suffix = last === '$value' ? last : '';
  if (last === '$count') throw errors.notImplemented('The number of items of a dynamic property', 'Read the whole property.').at(last);
  const names = path.map(({ name }) => name).slice(0, suffix === '' ? path.length : -1);
  const special = names.find((name) => !isDynamicName({ open: true }, name));
  if (special !== undefined && ordinalOf(special) !== undefined)
    throw errors.notImplemented(
      `A single item of the dynamic property ${names.slice(0, names.indexOf(special)).join('/')}`,
      'Read the whole property.',
    );
  if (special !== undefined) throw errors.notFound(`${special} within a dynamic property`);
  path.forEach(requireNoKey);
  const { alias, column, more, steps } = placeOf(target.value);
  const place = { alias, column, ...(more !== undefined && { more }), steps };
  const type = suffix === '$value' ? ({ type: 'Edm.String', text: true } as const) : ({ type: 'Edm.ComplexType' } as const);
  const dynamic: DynamicExpr = { kind: 'dynamic', nullable: true, ...place, names, joinSteps: [], ...type };
  return {
    ...target,
    name: `${target.name}${names.join('/')}`,
    dynamic,
    suffix,
    field: suffix === '$value' ? { type: 'Edm.String' } : untyped,
  };
}
