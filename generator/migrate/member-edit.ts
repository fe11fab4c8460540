import { literal, quote } from '../../runtime/schema/identifier.js';
import type { ValueMember } from '../../runtime/schema/schema.js';
import type { Home } from './moves.js';
import type { Step } from './step.js';

/** SQL of an object's new value, from that of the old one. */
export type Leaf = (value: string) => string;

/** What becomes of the objects that have a member, wherever they lie. */
export interface MemberEdit {
  readonly member: ValueMember;
  readonly leaf: Leaf;
  readonly isRename?: true;
}

/** The assignment of a value that is changed, and the condition that it changes. */
export function setStored({ column, shared }: Home, change: Leaf): string {
  const stored = quote(shared ?? column.name);
  const value = shared === undefined ? stored : `(${stored} ->> ${literal(column.name)})::jsonb`;
  const changed = change(value);
  const set = shared === undefined ? changed : `${stored} || jsonb_build_object(${literal(column.name)}, (${changed})::text)`;
  return `${stored} = ${set} where ${value} is not null and ${changed} is distinct from ${value}`;
}

/** A change of the rows of a table, some of them at a time. */
export function batches(phase: Step['phase'], table: string, set: string, notes: readonly string[]): Step {
  return {
    phase,
    manner: { kind: 'batches', table },
    statements: [`update ${quote(table)} set ${set} and "#id" > $1 and "#id" <= $2;`],
    costs: ['locks of the rows of one batch at a time', ...notes],
  };
}
