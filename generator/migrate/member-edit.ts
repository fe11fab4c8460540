import { literal, quote } from '../../runtime/schema/identifier.js';
import type { ValueMember } from '../../runtime/schema/schema.js';
import { assignment, type Home } from './moves.js';

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
  return `${assignment({ column, shared }, changed)} where ${value} is not null and ${changed} is distinct from ${value}`;
}
