import { own, targetOf, type EntityContainer } from '../edm/index.js';
import { mutualOf, rootName } from '../store/take-turn.js';
import type { BatchPart, BatchUnit } from './batch.js';

/**
 * The tables whose records a group may change by properties that are their own partners, as its texts tell before any of it
 * is carried out: whoever has locks already and then waits for a turn may wait for one who waits for these locks. Too many
 * cost others some time, and one too few a repetition.
 */
export function turnsOfGroup({ parts }: BatchUnit, container: EntityContainer): readonly string[] {
  const mutual = mutualOf(container);
  const writes = parts.filter(({ method }) => !/^(get|head)$/i.test(method));
  if (mutual.size === 0 || writes.length < 2) return [];
  const bodies = new Set(writes.flatMap(bodyNames));
  const addresses = new Map(parts.map(({ id, url }) => [id, url]));
  return [...mutual]
    .filter(([table, names]) => {
      const leading = leadingTo(table, container);
      const isMeant = (part: BatchPart): boolean =>
        isWhole(part, names) && wordsOf(wholeAddress(part, addresses)).some((name) => leading.has(name));
      return [...names].some((name) => bodies.has(name)) || writes.some(isMeant);
    })
    .map(([table]) => table);
}

// What deletes or replaces records, or says by its address what becomes of one, needs no body for that.
function isWhole({ method, url }: BatchPart, names: ReadonlySet<string>): boolean {
  return /^(delete|put)$/i.test(method) || url.includes('$ref') || wordsOf(url).some((word) => names.has(word));
}

// With that of the part which a reference at the beginning leads to.
function wholeAddress({ url }: BatchPart, addresses: ReadonlyMap<string, string>): string {
  const referred = /^\/?(?:\$|%24)([^/?]+)/i.exec(url)?.[1] ?? '';
  return `${addresses.get(referred) ?? ''} ${url}`;
}

function wordsOf(url: string): readonly string[] {
  return url.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
}

// `Spouse` of `"Spouse@odata.bind":`, at any depth.
function bodyNames({ body }: BatchPart): readonly string[] {
  if (body === undefined) return [];
  return [
    ...Buffer.from(body)
      .toString('utf8')
      .matchAll(/"([^"\\]*)"\s*:/g),
  ].map(([, member = '']) => rootName(member));
}

const known = new WeakMap<EntityContainer, Map<string, ReadonlySet<string>>>();

/** The names of sets, singletons and navigation properties that lead to records of a table; looked for once. */
function leadingTo(table: string, container: EntityContainer): ReadonlySet<string> {
  const tables = known.get(container) ?? new Map<string, ReadonlySet<string>>();
  known.set(container, tables);
  const names = tables.get(table) ?? findLeading(table, container);
  tables.set(table, names);
  return names;
}

function findLeading(table: string, container: EntityContainer): ReadonlySet<string> {
  const { entityTypes, entitySets, singletons = {} } = container;
  const roots = Object.entries({ ...entitySets, ...singletons })
    .filter(([, type]) => own(entityTypes, type)?.table === table)
    .map(([name]) => name);
  const ways = Object.values(entityTypes).flatMap(({ navigation }) =>
    Object.entries(navigation)
      .filter(([, one]) => targetOf(container, one).table === table)
      .map(([name]) => name),
  );
  return new Set([...roots, ...ways].map((name) => name.slice(name.lastIndexOf('/') + 1)));
}
