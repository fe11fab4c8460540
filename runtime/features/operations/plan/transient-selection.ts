import type { EntityContainer } from '../../../edm/entity-container.js';
import type { EntityType } from '../../../edm/entity-type.js';
import type { QueryOptions, SelectItem } from '../../../uri/query-options.js';
import { hierarchyColumns } from '../../../plan/hierarchy-members.js';

/**
 * The default selection of transient entities: properties that a handler gave any of them, and computed values;
 * undefined for all.
 */
export function transientSelection(
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
