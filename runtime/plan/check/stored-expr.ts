import { columnOf, type EntityType, type Field, type Navigation } from '../../edm/index.js';
import { mayMeetSeveral } from '../linking-columns.js';
import { type Aliases } from '../scope.js';
import { sharedExpr } from './check-property.js';
import type { ColumnExpr, Hop, PropertyExpr } from '../typed-expr.js';
import { valuesOf } from '../expr-facts.js';

/** The record that a property is looked for in, as a statement has it. */
interface Owner {
  readonly alias: string;
  readonly type: EntityType;
  /** The records are of several types, and the path has cast them to this one: others have nothing. */
  readonly cast?: unknown;
}

/** A property of a record, which has a column or shares one. */
export function storedExpr(position: Owner, name: string, field: Field): PropertyExpr {
  return field.more ? sharedExpr(position.alias, name, field) : columnExpr(position, name, field);
}

function columnExpr(position: Owner, name: string, field: Field): ColumnExpr {
  return {
    kind: 'column',
    type: field.type,
    ...valuesOf(field),
    collection: field.collection ?? false,
    nullable: field.nullable ?? position.cast !== undefined,
    alias: position.alias,
    column: columnOf(position.type, name),
  };
}

/** The step along a navigation property, from a table that is already part of the statement. */
export function hopAlong(navigation: Navigation, target: EntityType, from: string, aliases: Aliases): Hop {
  return {
    alias: aliases.next(),
    table: target.table,
    from,
    on: Object.entries(navigation.join),
    ...(navigation.through && { through: navigation.through }),
    ...(mayMeetSeveral(navigation, target) && { first: true }),
  };
}
