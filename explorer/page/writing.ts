import { mediaStream } from '../../runtime/edm/index.js';
import type { EntityType } from '../../runtime/edm/entity-type.js';
import type { Field } from '../../runtime/edm/field.js';
import { accessTo } from '../../runtime/plan/caller.js';
import { callerOf } from '../language/reach.js';
import { tables } from './state.js';

/** A change of a record. */
export type Change = 'insert' | 'update';

const operations = { insert: 'createEntity', update: 'updateEntity', delete: 'deleteEntity' } as const;

/** Whether the caller may create, change or delete records of a type. */
export function mayWrite(type: EntityType, change: keyof typeof operations): boolean {
  const known = tables.value;
  return (
    known !== undefined &&
    !known.readOnly &&
    // A media entity is created by its stream.
    !(change === 'insert' && type.streams?.[mediaStream]) &&
    type.routes.some(({ operation }) => operation === operations[change]) &&
    accessTo(type, change, callerOf(known)).allowed
  );
}

/** Whether the page offers an input for a property: the rules and the caller's scopes permit it, and its values have a type. */
export function isWritable(name: string, { type }: Field, owner: EntityType, change: Change): boolean {
  const { rules, key, transitions, permissions } = owner;
  // Numbers in untyped values would be rounded, or become texts.
  if (type === 'Edm.Untyped') return false;
  const scopes = new Set(tables.value?.scopes);
  const granted = permissions[change]?.filter(({ scope }) => scopes.has(scope));
  if (granted && granted.every(({ except }) => except.includes(name))) return false;
  if (rules.computed.includes(name)) return false;
  return change === 'insert' || (name !== transitions?.property && !rules.immutable.includes(name) && !key.includes(name));
}

/** Whether every request of a kind has to give a property. */
export function isRequired(name: string, { rules }: EntityType, change: Change): boolean {
  return (change === 'insert' ? rules.requiredOnCreate : rules.requiredOnUpdate).includes(name);
}

/** The properties in their order, those first that a change requires. */
export function requiredFirst(names: readonly string[], type: EntityType, change: Change): readonly string[] {
  return names.toSorted((one, other) => Number(isRequired(other, type, change)) - Number(isRequired(one, type, change)));
}
