import { own, type EntityContainer, type EntityType } from '../edm/index.js';

/** Addresses that show what a model's service can do: its description, its first sets, an expansion. */
export function requestsToTry({ entityTypes, entitySets }: EntityContainer, root: string): readonly string[] {
  const sets = Object.entries(entitySets).map(([set, name]) => ({ set, type: own(entityTypes, name) }));
  const expanded = sets.flatMap(({ set, type }) => (type === undefined ? [] : firstNavigation(type).map((navigation) => `${root}/${encodeURIComponent(set)}?$expand=${encodeURIComponent(navigation)}&$top=2`)));
  return [`${root}/$metadata`, ...sets.slice(0, 3).map(({ set }) => `${root}/${encodeURIComponent(set)}?$top=3&$count=true`), ...expanded.slice(0, 1)];
}

function firstNavigation({ navigation }: EntityType): readonly string[] {
  return Object.entries(navigation).filter(([, { expandable }]) => expandable !== false).map(([name]) => name).slice(0, 1);
}
