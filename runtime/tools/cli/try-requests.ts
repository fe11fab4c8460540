import { own } from '../../edm/index.js';
import { type EntityContainer } from '../../edm/entity-container.js';
import { type EntityType } from '../../edm/entity-type.js';

/** A sample request, without its token. */
export interface TryRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: object;
}

/** Sample requests for a model: its metadata, its first sets, an expansion. */
export function requestsToTry({ entityTypes, entitySets }: EntityContainer, root: string): readonly TryRequest[] {
  const sets = Object.entries(entitySets).map(([set, name]) => ({ set, type: own(entityTypes, name) }));
  const expanded = sets.flatMap(({ set, type }) =>
    type === undefined
      ? []
      : firstNavigation(type).map(
          (navigation) => `${root}/${encodeURIComponent(set)}?${requiredFilter(type)}$expand=${encodeURIComponent(navigation)}&$top=2`,
        ),
  );
  const urls = [
    `${root}/$metadata`,
    ...sets.slice(0, 3).map(({ set, type }) => `${root}/${encodeURIComponent(set)}?${requiredFilter(type)}$top=3&$count=true`),
    ...expanded.slice(0, 1),
  ];
  return urls.map((url) => ({ method: 'GET', url }));
}

/** The `$filter` that an entity set requires, which every entity satisfies. */
export function requiredFilter(type: EntityType | undefined): string {
  if (type?.requiresFilter === undefined) return '';
  const names = type.requiresFilter.length === 0 ? type.key.slice(0, 1) : type.requiresFilter;
  return `$filter=${encodeURIComponent(names.map((name) => `(${name} ne null or ${name} eq null)`).join(' and '))}&`;
}

function firstNavigation({ navigation }: EntityType): readonly string[] {
  return Object.entries(navigation)
    .filter(([, { expandable }]) => expandable !== false)
    .map(([name]) => name)
    .slice(0, 1);
}
