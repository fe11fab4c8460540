import { ConfigError } from '../../config/config.js';
import type { EntityContainer } from '../../edm/entity-container.js';

/** The scopes in the model's permissions. */
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

/**
 * The scopes of `--scope`, space-separated or repeated; warns about unknown ones, and requires one where the model has
 * any.
 */
export function parseScopes(given: readonly string[], container: EntityContainer): readonly string[] {
  const scopes = given.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  const known = scopesOf(container);
  const [example] = known;
  if (scopes.length === 0 && example !== undefined) throw new ConfigError(`--scope is missing, for example --scope ${example}.`);
  warnUnknown(scopes, known);
  return scopes;
}

// A token may be for other services, so an unknown scope is no error; but most often it is a typing mistake.
function warnUnknown(scopes: readonly string[], known: ReadonlySet<string>): void {
  const unknown = scopes.filter((scope) => !known.has(scope));
  const has = known.size === 0 ? 'the model has no scopes' : `the scopes are ${[...known].join(', ')}`;
  if (unknown.length > 0) process.stderr.write(`Unknown scope ${unknown.join(', ')}; ${has}.\n`);
}
