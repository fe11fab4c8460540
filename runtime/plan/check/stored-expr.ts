import { columnOf, type EntityType, type Field, type Navigation } from '../../edm/index.js';
import { mayMeetSeveral } from '../linking-columns.js';
import { type Aliases } from '../scope.js';
import { sharedExpr } from './check-property.js';
import type { ColumnExpr, JoinStep, PropertyExpr } from '../typed-expr.js';
import { valuesOf } from '../expr-facts.js';

/** The entity that has a property, within a statement. */
interface Owner {
  readonly alias: string;
  readonly type: EntityType;
  /** Whether the path has cast entities of several types: those of other types have null. */
  readonly cast?: unknown;
}

/** A property of an entity, in its own column or the shared one. */
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

/** The join along a navigation property, from a table of the statement. */
export function joinAlong(navigation: Navigation, target: EntityType, from: string, aliases: Aliases): JoinStep {
  return {
    alias: aliases.next(),
    table: target.table,
    from,
    on: Object.entries(navigation.join),
    ...(navigation.through && { through: navigation.through }),
    ...(mayMeetSeveral(navigation, target) && { first: true }),
  };
}
