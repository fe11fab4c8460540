import type { NavigationProperty } from '../../csdl/csdl.js';
import { faults } from '../../faults.js';
import { fateOf, label, ownsOf, soleOf } from './ends.js';
import { deleteAction } from './join-by-constraint.js';
import { isInOptional } from '../keys/path-column.js';
import { databaseName } from '../names/names.js';
import type { BuiltType, Context, Ends, Joined } from '../built-model.js';
import type { InternalColumn, JoinColumn, JoinSide, JoinTable, Relation } from '../storage.js';

/** The join of types without constraints: by `#id`, in internal columns and tables. */
export function joinedByNumber(ends: Ends, context: Context): Joined | undefined {
  const { property, inverse, type } = ends;
  context.report(faults.noJoin(property.at, label(type, property)));
  if (property.collection) return inverse && !inverse.collection ? byOther(ends) : byTable(ends);
  return inverse === undefined || inverse.collection || isHolder(ends) ? byOwn(ends, context) : byOther(ends);
}

// Of two entities that reference each other one holds the `#id`: the one with the required reference, or else the first
// by name.
function isHolder(ends: Ends): boolean {
  const [own, other] = [ends.property.nullable === false, ends.inverse?.nullable === false];
  return own === other ? isFirst(ends) : own;
}

function byOwn(ends: Ends, context: Context): Joined & { readonly relation: Relation & { readonly internal: InternalColumn } } {
  const { property, type, target, inverse } = ends;
  const column = type.numberColumns.get(property.name) ?? '';
  // A media entity is made of its bytes alone, and related afterwards (protocol 11.4.7.1).
  const required = property.nullable === false && ![type, ...type.bases].some(({ definition }) => definition.hasStream);
  const onDelete = deleteAction(inverse?.onDelete?.action, true, !required);
  return {
    navigation: { join: { [column]: '#id' }, ...(required && { required: true }), ...fateOf(onDelete), ...soleOf(ends, !required) },
    relation: {
      columns: [],
      principal: target.table,
      principalColumns: [],
      onDelete,
      internal: { column, nullable: !required || isInOptional(property.name, type.fields, context) },
    },
  };
}

function byOther(ends: Ends): Joined {
  const { inverse, target } = ends;
  return {
    navigation: { join: { '#id': target.numberColumns.get(inverse?.name ?? '') ?? '' }, ...ownsOf(ends, inverse?.nullable === false) },
  };
}

const [source, destination] = ['#source', '#target'];

function isFirst({ property, type, target, inverse, suffixes: [own, other] }: Ends): boolean {
  return inverse === undefined || `${label(type, property)}${own}` < `${label(target, inverse)}${other}`;
}

// A join table has the name of the first of two sides, or of the only one.
function byTable(ends: Ends): Joined {
  const { inverse } = ends;
  const isNamed = inverse === undefined || isFirst(ends);
  const sides = sidesOf(ends, isNamed);
  const table = joinTableName(sides[0]);
  const [own, other] = isNamed ? [source, destination] : [destination, source];
  const navigation = { join: {}, through: { table, own, other } };
  return isNamed ? { navigation, joinTable: joinTable(table, sides, ends) } : { navigation };
}

type Sides = readonly [JoinSide, ...JoinSide[]];

function sidesOf({ type, property, target, inverse, suffixes: [own, other] }: Ends, isNamed: boolean): Sides {
  const near: JoinSide = { type: type.qualifiedName, name: type.name, property: property.name, suffix: suffixBetween(own, other) };
  if (inverse === undefined) return [near];
  const far: JoinSide = { type: target.qualifiedName, name: target.name, property: inverse.name, suffix: suffixBetween(other, own) };
  return isNamed ? [near, far] : [far, near];
}

// The relation from a type's first entity source to another, and the one back, have different suffixes, since they are two tables.
function suffixBetween(own: string, other: string): string {
  return own === '' && other !== '' ? `@${other}` : `${own}${other}`;
}

/** The name of a join table that is named after this side. */
export function joinTableName({ name, property, suffix }: Omit<JoinSide, 'type'>): string {
  return databaseName(`#${name}_${property}${suffix}`);
}

// Deleting a record deletes its relations, unless OnDelete is None, which forbids it while there are any.
function joinTable(name: string, sides: Sides, { property, inverse, type, target }: Ends): JoinTable {
  return { name, sides, columns: [joinColumn(source, type, property), joinColumn(destination, target, inverse)] };
}

function joinColumn(column: string, { table }: BuiltType, property: NavigationProperty | undefined): JoinColumn {
  return { column, principal: table, onDelete: property?.onDelete?.action === 'None' ? 'no action' : 'cascade' };
}
