import type { Sequelize } from 'sequelize';
import type { Statement } from '../sql/statement.js';
import { remembered } from '../uri/remembered.js';
import { newChoice, type PlanChoice } from './plan-choice.js';

/** A statement that connections prepare: its name, and how it is planned. */
export interface NamedText {
  readonly name: string;
  readonly choice: PlanChoice;
}

/** Gives statements names by their text, the same name for as long as the text comes again. */
export type StatementNames = (text: string) => NamedText;

const registries = new WeakMap<Sequelize, StatementNames>();

/** From now on reusable and repeated statements of these connections are prepared. */
export function prepareStatements(sequelize: Sequelize): void {
  let given = 0;
  registries.set(
    sequelize,
    remembered(() => ({ name: `gable_${(given += 1)}`, choice: newChoice() }), { most: mostPrepared, longest: Infinity }),
  );
}

/** The names in use for these connections; none where statements are not to be prepared. */
export function namesOf(sequelize: Sequelize): StatementNames | undefined {
  return registries.get(sequelize);
}

/** What a statement is prepared as; one that may never come again is not. */
export function namedText({ text, reusable, repeated }: Statement, names: StatementNames | undefined): NamedText | undefined {
  return reusable || repeated ? names?.(text) : undefined;
}

/** What a connection keeps at most: each prepared statement takes memory of the server. */
export const mostPrepared = 200;

const prepared = new WeakMap<object, Set<string>>();

/** The names that a connection of the driver has prepared statements under, as far as the server has said so; those that were used last stand last. */
export function preparedOn(connection: object): Set<string> {
  const names = prepared.get(connection) ?? new Set<string>();
  prepared.set(connection, names);
  return names;
}

/** Notes that a name was used. */
export function noteUse(names: Set<string>, name: string): void {
  names.delete(name);
  names.add(name);
}

/** Takes away the names that were not used for longest, where a connection has too many; they are to be closed. */
export function takeSurplus(names: Set<string>): readonly string[] {
  if (names.size <= mostPrepared) return [];
  const surplus = [...names].slice(0, names.size - mostPrepared);
  for (const name of surplus) names.delete(name);
  return surplus;
}
