import type { ComplexType, EntityContainer, EntityType, Field } from '../../edm/index.js';
import { columnOf, complexTypeNamed, complexTypeOf, fieldOf, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import { complexOf, enumerationOf, isPropertyType, ofComplex, ofEnumeration, valuesOf } from '../expr-facts.js';
import type { PathTarget, Scope, Variable } from '../scope.js';
import type { ColumnExpr, JoinStep, JsonPath, PathExpr, PropertyExpr, TypedExpr } from '../typed-expr.js';
import { isPresent } from '../value/check-literal.js';

/** A complex value where it is of a type that derives from the declared one, else null (URL conventions 4.11). */
export function castOf(
  value: PropertyExpr,
  complex: ComplexType,
  name: string,
  { container, option }: Pick<Scope, 'container' | 'option'>,
): { readonly value: PropertyExpr; readonly complex: ComplexType } {
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

/** The place of a value without the rest of its expression. */
export function barePlace({ alias, column, more, steps }: JsonPath): JsonPath {
  return { alias, column, ...(more !== undefined && { more }), steps };
}

/** A property within the JSON at a place. */
export function propertyOf(place: JsonPath, name: string, field: Field): PathExpr {
  return pathExpr({ ...barePlace(place), steps: [...place.steps, name] }, field);
}

/** A property that shares a column with others. */
export function sharedExpr(alias: string, name: string, field: Field): PathExpr {
  return pathExpr({ alias, column: field.column ?? name, more: name, steps: [] }, field);
}

function pathExpr(place: JsonPath, field: Field): PathExpr {
  return { kind: 'path', type: field.type, ...valuesOf(field), collection: field.collection ?? false, nullable: true, ...place };
}

/** Where the properties of a complex value lie. */
export function placeOf(value: PropertyExpr): JsonPath {
  return value.kind === 'path' ? value : { alias: value.alias, column: value.column, steps: [] };
}

/** The variable that ranges over a collection. */
export function elementVariable(column: PropertyExpr, alias: string, { complex }: Items): Extract<Variable, { kind: 'element' }> {
  const { type } = column;
  const value: ColumnExpr = { kind: 'column', type, ...valuesOf(column), collection: false, nullable: true, alias, column: 'value' };
  return { kind: 'element', value, ...(complex && { complex }) };
}

type Items = Pick<Extract<PathTarget, { kind: 'elements' }>, 'complex'>;

/** A value beyond to-one navigation is null where there is no such record. */
export function within(joinSteps: readonly JoinStep[], value: TypedExpr): TypedExpr {
  if (joinSteps.length === 0) return value;
  if (!isPropertyType(value.type)) return value;
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

/** The entity that has a property, within a statement. */
interface Owner {
  readonly alias: string;
  readonly type: EntityType;
  /** Whether the path has cast entities of several types: those of other types have null. */
  readonly cast?: unknown;
}

/** A property of an entity, in its own column or the shared one. */
export function storedExpr({ alias, type, cast }: Owner, name: string, field: Field): PropertyExpr {
  if (field.more) return sharedExpr(alias, name, field);
  return {
    kind: 'column',
    type: field.type,
    ...valuesOf(field),
    collection: field.collection ?? false,
    nullable: field.nullable ?? cast !== undefined,
    alias,
    column: columnOf(type, name),
  };
}

/** Whether an entity has the complex value at a path of names and casts. */
export function hasValueAt(holder: Owner, names: readonly string[], container: EntityContainer): TypedExpr {
  return isPresent(valueAt(holder, names, container));
}

/** The test for a cast on the path, since other values lack its members; a null value has none anyway. */
export function castValueAt(holder: Owner, names: readonly string[], container: EntityContainer): TypedExpr | undefined {
  return names.some((name) => name.includes('.')) ? hasValueAt(holder, names, container) : undefined;
}

function valueAt(holder: Owner, [root = '', ...inner]: readonly string[], container: EntityContainer): PropertyExpr {
  const known = (field: Field | undefined, name: string): Field => {
    if (field === undefined) throw new Error(`${holder.type.name} has no property path ${name}.`);
    return field;
  };
  const start = known(fieldOf(holder.type, root), root);
  return inner.reduce<{ readonly field: Field; readonly value: PropertyExpr }>(
    ({ field, value }, name) => {
      const complex = complexTypeOf(container, field);
      if (name.includes('.')) {
        const cast = castOf(value, complex, name, { container, option: name });
        return { field: { ...field, complex: cast.complex.qualifiedName }, value: cast.value };
      }
      const next = known(fieldOf(complex, name), name);
      return { field: next, value: propertyOf(placeOf(value), name, next) };
    },
    { field: start, value: storedExpr(holder, root, start) },
  ).value;
}
