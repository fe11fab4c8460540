import type { Sequelize } from 'sequelize';
import type { Statement } from '../sql/statement.js';

/** Names of statements that a connection prepares once, by their text. */
export type StatementNames = Map<string, string>;

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

/** The name to prepare a statement under; the first ones that come get one. */
export function nameOf({ text, reusable, repeated }: Statement, names: StatementNames | undefined): string | undefined {
  if ((!reusable && !repeated) || names === undefined) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= most) return known;
  const name = `gable_${names.size + 1}`;
  names.set(text, name);
  return name;
}

const prepared = new WeakMap<object, Set<string>>();

/** The names that a connection of the driver has prepared statements under, as far as the server has said so. */
export function preparedOn(connection: object): Set<string> {
  const names = prepared.get(connection) ?? new Set<string>();
  prepared.set(connection, names);
  return names;
}
