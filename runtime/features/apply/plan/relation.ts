import { columnOf, type EntityType, type EnumType, type Field, fieldOf, own, type PrimitiveTypeName } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import type { MemberExpr } from '../../../expression/ast.js';
import type { ApplyStep } from './apply-plan.js';
import { maxComputedWeight } from '../../../plan/limits.js';
import type { OrderTerm } from '../../../plan/read-plan.js';
import { transformedSet } from '../../../plan/path/derivation.js';
import { recordAt, type Scope } from '../../../plan/scope.js';
import { shownPath } from '../../../plan/shown-path.js';
import type { ColumnExpr, TypedExpr } from '../../../plan/typed-expr.js';
import { enumerationOf, isPropertyType, ofEnumeration, constant } from '../../../plan/expr-facts.js';

/** A column of a relation, independent of the alias under which the relation is read. */
export interface RelationColumn {
  readonly column: string;
  readonly type: PrimitiveTypeName;
  readonly enumeration?: EnumType;
  readonly nullable: boolean;
}

/** The set between two steps of `$apply` as an entity type, so that names resolve as everywhere. */
export interface Relation {
  /** Its properties; a path that was grouped by is one property with slashes in its name. */
  readonly type: EntityType;
  /** The type that the path addresses. */
  readonly base: EntityType;
  /** The rows are still records of the base type, with key and navigation. */
  readonly entity: boolean;
  /** Some rows are still records of the base type: those with an `#id`; others are rows of another sequence of `concat`. */
  readonly mixed?: true;
  /** Columns that no two rows have in common, so that an order can be made total. */
  readonly identity: readonly RelationColumn[];
  readonly order: readonly (RelationColumn & { readonly descending: boolean })[];
  /** The column that is true where a row has a property; properties without one are in every row. */
  readonly presence: ReadonlyMap<string, string>;
}

/** How far a sequence of transformations has come. */
export interface Progress {
  readonly relation: Relation;
  readonly steps: readonly ApplyStep[];
}

/** The records of a type, before any step. */
export function relationOf(base: EntityType, identity: readonly RelationColumn[]): Relation {
  return { type: base, base, entity: true, identity, order: [], presence: new Map() };
}

/** A property's column. */
export function relationColumn(type: EntityType, name: string): RelationColumn {
  const field = fieldOf(type, name);
  if (field === undefined) throw new Error(`${type.name} has no column for ${name}.`);
  return { column: columnOf(type, name), type: field.type, ...ofEnumeration(field.enumeration), nullable: field.nullable ?? false };
}

/** A relation's column where the relation has that alias. */
export function columnAt(alias: string, { column, type, enumeration, nullable }: RelationColumn): ColumnExpr {
  return { kind: 'column', type, ...ofEnumeration(enumeration), collection: false, nullable, alias, column };
}

/** The names that an expression over the relation may use. */
export function scopeOver(relation: Relation, alias: string, scope: Scope): Scope {
  const implicit = recordAt({ type: relation.type, alias });
  return {
    ...scope,
    implicit,
    variables: new Map([['$it', implicit]]),
    has: (path) => presenceOf(path, relation, alias),
  };
}

// Columns that were neither grouped by nor aggregated no longer exist (Data Aggregation 3.7); undefined where the names of
// the columns decide.
function presenceOf({ path }: MemberExpr, { type, base, presence }: Relation, alias: string): TypedExpr | undefined {
  const names = path.map((segment) => segment.name);
  const whole = names.join('/');
  const [first = ''] = names;
  const flag = presence.get(whole);
  if (flag !== undefined) return columnAt(alias, { column: flag, type: 'Edm.Boolean', nullable: false });
  const kept = Object.hasOwn(type.fields, whole) || Object.hasOwn(type.fields, first) || Object.hasOwn(type.navigation, first);
  const known = Object.hasOwn(base.fields, first) || Object.hasOwn(base.navigation, first);
  return kept || !known ? undefined : constant(false);
}

/** The relation with one more property. */
export function withField(relation: Relation, name: string, field: Field): Relation {
  return { ...relation, type: { ...relation.type, fields: { ...relation.type.fields, [name]: field } } };
}

/** The relation with a separate table of properties: copying it for each of a hundred new ones would be quadratic. */
export function growing(relation: Relation): { readonly relation: Relation; readonly add: (name: string, field: Field) => void } {
  // Without a prototype, so that no name is special where it is assigned.
  const fields: Record<string, Field> = Object.assign(Object.create(null), relation.type.fields);
  return { relation: { ...relation, type: { ...relation.type, fields } }, add: (name, field) => void (fields[name] = field) };
}

/** A dynamic property. */
export function dynamicField({ column, type, enumeration, nullable }: RelationColumn): Field {
  return { type, ...ofEnumeration(enumeration), column, ...(nullable && { nullable: true }) };
}

/** Whether the property was made by `$apply` and is no property of the model. */
export function isDynamic({ base }: Relation, name: string): boolean {
  return own(base.fields, name) === undefined;
}

/** A column computed for every row; the relation does not show it yet. */
export function computeColumn(
  progress: Progress,
  around: Scope,
  make: (scope: Scope) => TypedExpr,
): { readonly progress: Progress; readonly computed: RelationColumn } {
  const alias = around.aliases.next();
  const value = make(scopeOver(progress.relation, alias, around));
  weigh(`#.${alias}`, value, around);
  const computed = {
    column: `#.${alias}`,
    type: primitiveTypeOf(value, around),
    ...ofEnumeration(enumerationOf(value)),
    nullable: value.nullable,
  };
  return {
    progress: {
      ...progress,
      steps: [...progress.steps, { kind: 'compute', alias, column: computed.column, value, chained: usesComputed(value) }],
    },
    computed,
  };
}

/** Whether a column was made by `$apply`; the model's names have no such beginning. */
export function isComputed({ column }: { readonly column: string }): boolean {
  return column.startsWith('#.');
}

// An expression is a tree of plain objects, whatever its kinds are.
function usesComputed(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if ('column' in part && typeof part.column === 'string' && isComputed({ column: part.column })) return true;
  return Object.values(part).some(usesComputed);
}

// A text that is joined to itself in every step would outgrow the database's memory, and so would a number's digits.
function weigh(column: string, value: TypedExpr, { aliases: { weights } }: Scope): void {
  // A group's values weigh as much as the heaviest input.
  const ofInputs = weightOf(value, (computed) => weights.of.get(computed) ?? weights.heaviest);
  const weight = Math.max(1, ofInputs);
  if (weight > maxComputedWeight)
    throw errors.limitExceeded(`The computed values of $apply expand to more than ${maxComputedWeight} others.`).at('$apply');
  weights.of.set(column, weight);
  weights.heaviest = Math.max(weights.heaviest, weight);
}

// Texts that are joined, and digits of numbers that are multiplied, add up; of everything else the largest part counts.
function weightOf(part: unknown, known: (column: string) => number): number {
  if (typeof part !== 'object' || part === null) return 0;
  if ('column' in part && typeof part.column === 'string' && isComputed({ column: part.column })) return known(part.column);
  const weights = Object.values('arguments' in part && Array.isArray(part.arguments) ? part.arguments : part).map((one) =>
    weightOf(one, known),
  );
  return grows(part) ? weights.reduce((sum, one) => sum + one, 0) : Math.max(0, ...weights);
}

function grows(part: object): boolean {
  if ('operator' in part) return part.operator === 'mul' || part.operator === 'div' || part.operator === 'divby';
  return (
    'method' in part && typeof part.method === 'object' && part.method !== null && 'name' in part.method && part.method.name === 'concat'
  );
}

function primitiveTypeOf({ type }: TypedExpr, scope: Scope): PrimitiveTypeName {
  if (!isPropertyType(type)) throw errors.typeMismatch(`A ${type} cannot be a property value.`).at(scope.option);
  return type;
}

/** The type of a set that no longer holds records: properties only. */
export function transformedType(type: EntityType, fields: EntityType['fields']): EntityType {
  const { open: _, ...closed } = type;
  return { ...closed, name: transformedSet, key: [], fields, navigation: {} };
}

/** The order that the rows have so far, made total. */
export function orderAt(alias: string, { order, identity }: Relation): readonly OrderTerm[] {
  const known = order.map((term) => ({ expression: columnAt(alias, term), descending: term.descending }));
  return [...known, ...identity.map((column) => ({ expression: columnAt(alias, column), descending: false }))];
}

/** A new property's name must not be taken, by the set or by the type it comes from (Data Aggregation 3.1.1). */
export function requireFreeName(name: string, relation: Relation, scope: Scope, paths: readonly string[]): void {
  const { type, base } = relation;
  const taken = [type.fields, type.navigation, base.fields, base.navigation].some((table) => Object.hasOwn(table, name));
  const begins = paths.some((path) => path.startsWith(`${name}/`) || shownPath(path)[0] === name);
  if (taken || begins) throw errors.badOption(`There is already a property ${name}; choose another alias.`).at(scope.option);
}

/** The properties named by a path, which only groupings are. */
export function pathsOf({ type, base }: Pick<Relation, 'type' | 'base'>): readonly string[] {
  return [...Object.keys(type.fields), ...Object.keys(type.navigation).filter((path) => !Object.hasOwn(base.navigation, path))].filter(
    (name) => name.includes('/'),
  );
}
