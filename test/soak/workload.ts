import { payloads } from '../attack/payloads.js';
import type { Random } from '../permission/random.js';

/** A request of the mixture. */
export interface SoakRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How it may be answered. */
  readonly statuses: readonly number[];
}

/** Existing keys for requests. */
export interface Known {
  readonly listings: readonly string[];
  readonly member: string;
}

interface Kind {
  readonly weight: number;
  readonly make: (random: Random, known: Known) => SoakRequest;
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): SoakRequest => ({
  method: 'GET',
  path,
  headers,
  statuses: [200],
});
const cities = ['Toronto', 'Ottawa', 'Montréal', 'Vancouver'];
const literals = Object.values(payloads).flatMap(({ refused, none }) => [...refused, ...none]);

// oxfmt-ignore
// In about the proportions of a portal with readers, replicating feeds and a few writers; a hundredth is hostile.
const kinds: readonly Kind[] = [
  { weight: 25, make: (random) => get(`/Property?$filter=StandardStatus%20eq%20%27Active%27%20and%20ListPrice%20gt%20${random.below(900) * 1_000}&$orderby=ListPrice%20desc&$top=20&$select=ListingKey,City,ListPrice`) },
  { weight: 20, make: (random, { listings }) => get(`/Property('${random.pick(listings)}')`) },
  { weight: 12, make: (random) => get(`/Property?$filter=City%20eq%20%27${encodeURIComponent(random.pick(cities))}%27&$expand=Media($top=3),Rooms&$top=10`) },
  { weight: 8, make: (random) => get(`/Property?$orderby=ModificationTimestamp,ListingKey&$skip=${random.below(1_000)}`, { Prefer: 'maxpagesize=500' }) },
  { weight: 6, make: (random) => get(`/Property/$count?$filter=BedroomsTotal%20ge%20${random.below(6)}`) },
  { weight: 3, make: (random) => get(`/Property?$search=${random.pick(['garden', 'lake', 'king'])}&$top=5`) },
  { weight: 3, make: () => get('/Property?$apply=groupby((City),aggregate(ListPrice%20with%20average%20as%20Average))') },
  { weight: 2, make: () => get('/$metadata', { 'Accept-Encoding': 'br, gzip' }) },
  { weight: 2, make: rareShape },
  { weight: 2, make: batch },
  { weight: 1, make: (random) => ({ method: 'GET', path: `/Property?$filter=City%20eq%20${random.pick(literals)}`, statuses: [200, 400] }) },
];

/** One of four thousand shapes, of which the plans of a thousand are kept: the cache must stay within its bounds. */
export function rareShape(random: Random): SoakRequest {
  const conditions = Array.from({ length: 6 }, () => `DaysOnMarket%20${random.pick(['gt', 'ge', 'ne', 'lt'])}%20${random.below(100)}`);
  return get(`/Property?$top=1&$select=ListingKey&$filter=${conditions.join('%20or%20')}`);
}

function batch(random: Random, { listings }: Known): SoakRequest {
  const requests = Array.from({ length: 10 }, (_, index) => ({
    id: String(index),
    method: 'GET',
    url: `Property('${random.pick(listings)}')?$select=City`,
  }));
  return {
    method: 'POST',
    path: '/$batch',
    body: JSON.stringify({ requests }),
    headers: { 'Content-Type': 'application/json' },
    statuses: [200],
  };
}

const total = kinds.reduce((sum, { weight }) => sum + weight, 0);

/** A request, as chance has it. */
export function nextRequest(random: Random, known: Known): SoakRequest {
  let left = random.below(total);
  const kind = kinds.find(({ weight }) => (left -= weight) < 0);
  if (kind === undefined) throw new Error('The weights add up to their sum.');
  return kind.make(random, known);
}
