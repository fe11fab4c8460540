import type { EntityContainer, EntityType } from '../edm/index.js';
import type { QueryOptions, SelectItem } from '../uri/query-options.js';
import { hierarchyColumns } from './hierarchy-columns.js';

/**
 * What to select of made records where the client does not say: those properties that a handler has given any of them,
 * and what is computed; undefined where that is all of them.
 */
export function shownOfMade(
  type: EntityType,
  given: ReadonlySet<string>,
  { compute = [] }: QueryOptions,
  container: EntityContainer,
): readonly SelectItem[] | undefined {
  const columns = hierarchyColumns(type, container);
  if (columns.every(({ name, owner }) => owner !== undefined || given.has(name))) return undefined;
  const shown = columns.filter(({ name }) => given.has(name));
  const paths = [...shown.map(({ name, owner }) => (owner === undefined ? [name] : [owner, name])), ...compute.map(({ alias }) => [alias])];
  return paths.map((names) => ({ kind: 'member', at: 0, path: names.map((name) => ({ name, at: 0 })) }));
}
