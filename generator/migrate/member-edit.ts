import { literal, quote } from '../../runtime/schema/identifier.js';
import type { ValueMember } from '../../runtime/schema/schema.js';
import type { Home } from './moves.js';
import type { Step } from './step.js';

/** The SQL of an object's new value from the old one. */
export type Leaf = (value: string) => string;

/** An edit of all objects that have a member. */
export interface MemberEdit {
  readonly member: ValueMember;
  readonly leaf: Leaf;
  /** Its effect on a service with the old model. */
  readonly note?: string;
}

/** The assignment of a changed value, with the condition that it changes. */
export function setStored({ column, shared }: Home, change: Leaf): string {
  const stored = quote(shared ?? column.name);
  const value = shared === undefined ? stored : `(${stored} ->> ${literal(column.name)})::jsonb`;
  const changed = change(value);
  const set = shared === undefined ? changed : `${stored} || jsonb_build_object(${literal(column.name)}, (${changed})::text)`;
  return `${stored} = ${set} where ${value} is not null and ${changed} is distinct from ${value}`;
}

/** A batched update of a table. */
export function batches(phase: Step['phase'], table: string, set: string, notes: readonly string[]): Step {
  return {
    phase,
    manner: { kind: 'batches', table },
    statements: [`update ${quote(table)} set ${set} and "#id" > $1 and "#id" <= $2;`],
    costs: ['locks of the rows of one batch at a time', ...notes],
  };
}
