import { ConfigError } from '../config.js';
import type { EntityContainer } from '../edm/index.js';

/** Every scope that the model's permissions know. */
export function scopesOf({ entityTypes }: EntityContainer): ReadonlySet<string> {
  const lists = Object.values(entityTypes).flatMap(({ permissions: { read, readByKey, insert, update, delete: remove } }) => [
    read,
    readByKey,
    insert,
    update,
    remove,
  ]);
  return new Set(lists.flatMap((list) => (list ?? []).map(({ scope }) => scope)));
}

/** The scopes of `--scope`, given once with several or several times; one that the model does not know is told, and where it knows any there must be one. */
export function parseScopes(given: readonly string[], container: EntityContainer): readonly string[] {
  const scopes = given.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  const known = scopesOf(container);
  const [example] = known;
  if (scopes.length === 0 && example !== undefined) throw new ConfigError(`--scope is missing, for example --scope ${example}.`);
  warnUnknown(scopes, known);
  return scopes;
}

// A token is good for other services too, so this is no error; but most often it is a typing mistake.
function warnUnknown(scopes: readonly string[], known: ReadonlySet<string>): void {
  const unknown = scopes.filter((scope) => !known.has(scope));
  const has = known.size === 0 ? 'its permissions name none' : `it has ${[...known].join(', ')}`;
  if (unknown.length > 0) process.stderr.write(`The model knows no scope ${unknown.join(', ')}; ${has}.\n`);
}
