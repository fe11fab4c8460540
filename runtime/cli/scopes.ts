import { container } from '../../generated/index.js';

/** The scopes of `--scope`, given once with several or several times; one that the model does not know is told. */
export function parseScopes(given: readonly string[]): readonly string[] {
  const scopes = given.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  warnUnknown(scopes);
  return scopes;
}

// A token is good for other services too, so this is no error; but most often it is a typing mistake.
function warnUnknown(scopes: readonly string[]): void {
  const lists = Object.values(container.entityTypes).flatMap(({ permissions: { read, insert, update, delete: remove } }) => [read, insert, update, remove]);
  const known = new Set(lists.flatMap((list) => (list ?? []).map(({ scope }) => scope)));
  const unknown = scopes.filter((scope) => !known.has(scope));
  if (unknown.length > 0) process.stderr.write(`The model knows no scope ${unknown.join(', ')}; it has ${[...known].join(', ')}.\n`);
}
