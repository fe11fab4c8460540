import type { Sequelize } from 'sequelize';
import type { Statement } from '../sql/statement.js';
import { newChoice, type PlanChoice } from './plan-choice.js';

/** A statement that connections prepare: its name, and how it is planned. */
export interface NamedText {
  readonly name: string;
  readonly choice: PlanChoice;
}

/** Statements that a connection prepares once, by their text. */
export type StatementNames = Map<string, NamedText>;

/** Every connection keeps what it has prepared until it ends, so there must not be many. */
const most = 200;

const registries = new WeakMap<Sequelize, StatementNames>();

/** From now on reusable and repeated statements of these connections are prepared. */
export function prepareStatements(sequelize: Sequelize): void {
  registries.set(sequelize, new Map());
}

/** The names in use for these connections; none where statements are not to be prepared. */
export function namesOf(sequelize: Sequelize): StatementNames | undefined {
  return registries.get(sequelize);
}

/** What a statement is prepared as; the first ones that come get a name. */
export function namedText({ text, reusable, repeated }: Statement, names: StatementNames | undefined): NamedText | undefined {
  if ((!reusable && !repeated) || names === undefined) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= most) return known;
  const named = { name: `gable_${names.size + 1}`, choice: newChoice() };
  names.set(text, named);
  return named;
}

const prepared = new WeakMap<object, Set<string>>();

/** The names that a connection of the driver has prepared statements under, as far as the server has said so. */
export function preparedOn(connection: object): Set<string> {
  const names = prepared.get(connection) ?? new Set<string>();
  prepared.set(connection, names);
  return names;
}
