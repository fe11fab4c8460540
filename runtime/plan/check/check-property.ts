import { complexTypeNamed, complexTypeOf, fieldOf, isDynamicName, qualify, type ComplexType, type Field } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import type { CommonExpr, PathSegment } from '../../expression/ast.js';
import { isMethod } from '../../expression/methods.js';
import { streamInExpression } from '../plan-stream.js';
import { itemsTarget } from './value-items.js';
import { memberScope, type Scope, type Variable } from '../scope.js';
import type { ColumnExpr, DynamicExpr, JoinStep, JsonPath, PathExpr, PropertyExpr, TypedExpr } from '../typed-expr.js';
import { complexOf, enumerationOf, ofComplex, ofEnumeration, valuesOf } from '../expr-facts.js';
import type { PathTarget } from './resolved-path.js';

/** A property that a path has reached, and the records on the way to it. */
interface Reached {
  readonly name: string;
  readonly field: Field;
  readonly value: PropertyExpr;
  readonly joinSteps: readonly JoinStep[];
}

/** Continues a path after a property: nothing, members of a complex value, or the number of items. */
export function propertyTarget({ name, field, value, joinSteps }: Reached, rest: readonly PathSegment[], scope: Scope): PathTarget {
  const [next] = rest;
  if (field.type === 'Edm.Untyped') return dynamicTarget({ place: placeOf(value), joinSteps }, rest, scope);
  const complex = field.type === 'Edm.ComplexType' ? complexTypeOf(scope.container, field) : undefined;
  if (field.collection) return itemsTarget({ name, column: value, joinSteps, ...(complex && { complex }) }, rest, scope);
  if (complex) return complexTarget({ name, value, complex, joinSteps }, rest, scope);
  if (next)
    throw errors
      .unknownName(
        next.name,
        name,
        isMethod(next.name.toLowerCase())
          ? ` It is a function: write ${next.name.toLowerCase()}(${name}${next.parentheses ? ',...' : ''}).`
          : '',
      )
      .at(scope.option);
  return { kind: 'value', expr: within(joinSteps, value) };
}

/** A single complex value. */
interface ComplexValue {
  readonly name: string;
  readonly value: PropertyExpr;
  readonly complex: ComplexType;
  readonly joinSteps: readonly JoinStep[];
}

/** A path into a complex value. */
export function complexTarget(
  { name: shown, value, complex, joinSteps }: ComplexValue,
  [segment, ...rest]: readonly PathSegment[],
  scope: Scope,
): PathTarget {
  if (segment === undefined) return { kind: 'value', expr: within(joinSteps, value) };
  const { name } = segment;
  if (name.includes('.')) return complexTarget({ name: shown, joinSteps, ...castOf(value, complex, name, scope) }, rest, scope);
  const field = fieldOf(complex, name);
  if (complex.streams?.includes(name)) throw streamInExpression(complex, `${shown}/${name}`, scope.option);
  if (field === undefined && isDynamicName(complex, name))
    return dynamicTarget({ place: placeOf(value), joinSteps }, [segment, ...rest], scope);
  if (field === undefined) throw unknownProperty(name, shown, complex);
  return propertyTarget({ name, field, value: propertyOf(placeOf(value), name, field), joinSteps }, rest, scope);
}

/** A complex value where it is of a type that derives from the declared one, else null (URL conventions 4.11). */
export function castOf(
  value: PropertyExpr,
  complex: ComplexType,
  name: string,
  { container, option }: Pick<Scope, 'container' | 'option'>,
): Pick<ComplexValue, 'value' | 'complex'> {
  const qualified = qualify(container, name);
  if (qualified === complex.qualifiedName) return { value, complex };
  const type = complex.derived.includes(qualified) ? complexTypeNamed(container, qualified) : undefined;
  if (type === undefined) {
    throw errors.unknownName(`derived type ${name}`, complex.qualifiedName, suggestion(name, complex.derived)).at(option);
  }
  return { value: ofType(placeOf(value), type), complex: type };
}

/** The value at a place where it is of a type that derives from the declared one, else null. */
export function ofType(place: JsonPath, complex: ComplexType): PathExpr {
  return {
    kind: 'path',
    type: 'Edm.ComplexType',
    complex: complex.qualifiedName,
    collection: false,
    nullable: true,
    ...barePlace(place),
    steps: [...place.steps, { types: typesOf(complex) }],
  };
}

/** The concrete types of a value; the abstract type itself if there is none. */
export function typesOf({ qualifiedName, abstract, derived }: ComplexType): readonly string[] {
  return abstract && derived.length > 0 ? derived : [qualifiedName, ...derived];
}

/** A dynamic property of an open type, or a value nested in one; null if it does not exist. */
export function dynamicTarget(
  { place, joinSteps }: { readonly place: JsonPath; readonly joinSteps: readonly JoinStep[] },
  path: readonly PathSegment[],
  scope: Scope,
): PathTarget {
  const last = path.at(-1);
  if (last?.name === '$count' && path.length === 1)
    return {
      kind: 'value',
      expr: within(joinSteps, countOf(dynamicExpr({ place, joinSteps: [] }, [], scope), last.options?.filter, scope)),
    };
  if (last?.name === '$count')
    return { kind: 'value', expr: countOf(dynamicExpr({ place, joinSteps }, path.slice(0, -1), scope), last.options?.filter, scope) };
  return { kind: 'value', expr: dynamicExpr({ place, joinSteps }, path, scope) };
}

function dynamicExpr(
  { place, joinSteps }: { readonly place: JsonPath; readonly joinSteps: readonly JoinStep[] },
  path: readonly PathSegment[],
  scope: Scope,
): DynamicExpr {
  const special = path.find(({ name }) => !isDynamicName({ open: true }, name));
  if (special) throw errors.notImplemented(`${special.name} after a dynamic property`).at(scope.option);
  return { kind: 'dynamic', type: 'null', nullable: true, ...barePlace(place), names: path.map(({ name }) => name), joinSteps };
}

// A value that is no array has no items.
function countOf(column: DynamicExpr, condition: CommonExpr | undefined, scope: Scope): TypedExpr {
  const alias = scope.aliases.next();
  const filter = condition && scope.checks.condition(condition, memberScope(scope, { kind: 'dynamic', alias }));
  return {
    kind: 'count',
    type: 'Edm.Int64',
    nullable: false,
    rows: { kind: 'elements', joinSteps: [], alias, column, ...(filter && { filter }) },
  };
}

function barePlace({ alias, column, more, steps }: JsonPath): JsonPath {
  return { alias, column, ...(more !== undefined && { more }), steps };
}

/** A property within the JSON at a place. */
export function propertyOf({ alias, column, more, steps }: JsonPath, name: string, field: Field): PathExpr {
  const place = { alias, column, ...(more !== undefined && { more }), steps: [...steps, name] };
  return { kind: 'path', type: field.type, ...valuesOf(field), collection: field.collection ?? false, nullable: true, ...place };
}

/** A property that shares a column with others. */
export function sharedExpr(alias: string, name: string, field: Field): PathExpr {
  return {
    kind: 'path',
    type: field.type,
    ...valuesOf(field),
    collection: field.collection ?? false,
    nullable: true,
    alias,
    column: field.column ?? name,
    more: name,
    steps: [],
  };
}

/** Where the properties of a complex value lie. */
export function placeOf(value: PropertyExpr): JsonPath {
  return value.kind === 'path' ? value : { alias: value.alias, column: value.column, steps: [] };
}

/** An item of a collection, where the items are rows of that alias. */
export function elementOf(items: PropertyExpr, alias: string): ColumnExpr {
  return { kind: 'column', type: items.type, ...valuesOf(items), collection: false, nullable: true, alias, column: 'value' };
}

/** The variable that ranges over a collection. */
export function elementVariable(column: PropertyExpr, alias: string, { complex }: Items): Extract<Variable, { kind: 'element' }> {
  return { kind: 'element', value: elementOf(column, alias), ...(complex && { complex }) };
}

/** The type of a collection's items. */
type Items = Pick<Extract<PathTarget, { kind: 'elements' }>, 'complex'>;

/** A value beyond to-one navigation is null where there is no such record. */
export function within(joinSteps: readonly JoinStep[], value: TypedExpr): TypedExpr {
  if (joinSteps.length === 0) return value;
  if (value.type === 'null' || value.type === 'polygon' || value.type === 'line') return value;
  return {
    kind: 'related',
    type: value.type,
    ...ofEnumeration(enumerationOf(value)),
    ...ofComplex(complexOf(value)),
    nullable: true,
    joinSteps,
    value,
  };
}

function unknownProperty(name: string, owner: string, { fields, name: type }: ComplexType): Error {
  return errors.unknownName(`property ${name}`, `${owner} (${type})`, suggestion(name, Object.keys(fields))).at(name);
}
