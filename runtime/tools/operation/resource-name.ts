import type { EntityContainer } from '../../edm/entity-container.js';

/**
 * The resource label of a request for metrics and spans: an entity set, a singleton, a name that begins with `$`,
 * `oauth2` for tokens, or `other`.
 */
export function resourceNames({ entitySets, singletons = {} }: EntityContainer): (path: string) => string {
  const known: ReadonlySet<string> = new Set([
    ...Object.keys(entitySets),
    ...Object.keys(singletons),
    '$metadata',
    '$batch',
    '$entity',
    'oauth2',
  ]);
  return (path) => {
    const end = path.slice(1).search(/[/(?]/);
    const first = end < 0 ? path.slice(1) : path.slice(1, end + 1);
    if (first === '') return 'service';
    // The client's text must not become a label: every new one would stay in memory.
    return known.has(first) ? first : 'other';
  };
}
