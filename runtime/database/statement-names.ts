import type { Statement } from '../sql/statement.js';
import { remembered } from '../uri/remembered.js';
import { newChoice, type PlanChoice } from './plan-choice.js';
import { recurringValues, type RecurringValues } from './recurring-values.js';
import { memoized } from '../edm/memoized.js';

/** A prepared statement: its name, its plan choice, and the values with which statements of the pool recur. */
export interface NamedText {
  readonly name: string;
  readonly choice: PlanChoice;
  readonly recurring: RecurringValues;
}

/** Assigns names to statements by their text; a recurring text keeps its name. */
export interface StatementNames {
  (text: string): NamedText;
  /** Gives every text another name, so that each connection prepares it again. */
  readonly renew: () => void;
}

/** The names for the connections of a pool. */
export function statementNames(): StatementNames {
  let given = 0;
  const recurring = recurringValues();
  const start = (): ((text: string) => NamedText) =>
    remembered(() => ({ name: `gable_${(given += 1)}`, choice: newChoice(), recurring }), { most: mostPrepared, longest: Infinity });
  let names = start();
  return Object.assign((text: string) => names(text), { renew: () => void (names = start()) });
}

/** The name of a statement; undefined for one that may not recur. */
export function namedText({ text, reusable, repeated }: Statement, names: StatementNames | undefined): NamedText | undefined {
  return reusable || repeated ? names?.(text) : undefined;
}

/** The most prepared statements per connection: each takes memory of the server. */
export const mostPrepared = 200;

/** The statements that a connection has prepared, as confirmed by the server, the least recently used first. */
export const preparedOn = memoized((_connection: object) => new Set<string>());

/** Records the use of a name. */
export function noteUse(names: Set<string>, name: string): void {
  names.delete(name);
  names.add(name);
}

/** Removes the least recently used names beyond the limit; they are to be closed. */
export function takeSurplus(names: Set<string>): readonly string[] {
  if (names.size <= mostPrepared) return [];
  const surplus = [...names].slice(0, names.size - mostPrepared);
  for (const name of surplus) names.delete(name);
  return surplus;
}
