import type { LoadRequest } from '../load/http-connection.js';
import type { Plan } from '../load/task.js';
import { queryOptions, summaryProperties } from './queries.js';
import type { Samples } from './samples.js';

/** Who is measured: the floor's two ways, the product, and the product without a change log, and with a table of events instead. */
export type ServerName = 'F1' | 'F2' | 'Gable' | 'Untracked' | 'Events';

/** A workload: its requests to the product, and the same to the reference servers. */
export interface Workload {
  readonly id: string;
  readonly clients: readonly number[];
  /** The unit of its throughput. */
  readonly unit: 'requests' | 'records';
  readonly gable: (samples: Samples) => Plan;
  readonly floor: (samples: Samples, path: string) => Plan;
}

const everyClients = [1, 16, 64];
const fewClients = [1, 16];

/** The workloads, in the order in which they are measured. */
export const workloads: readonly Workload[] = [
  {
    id: 'W1',
    clients: everyClients,
    unit: 'requests',
    gable: ({ keys }) => gets(keys, (key) => `${set}('${key}')`),
    floor: ({ keys }, path) => gets(keys, (key) => `${path}/${key}`),
  },
  {
    id: 'W2',
    clients: everyClients,
    unit: 'requests',
    gable: ({ prices }) =>
      queries(prices, (price) => ({
        filter: `StandardStatus eq 'Active' and ListPrice ge ${price}`,
        orderby: 'ModificationTimestamp desc',
        top: 50,
        select,
      })),
    floor: ({ prices }, path) => gets(prices, (price) => `${path}/${price}`),
  },
  {
    id: 'W3',
    clients: everyClients,
    unit: 'requests',
    gable: ({ cities }) => queries(cities, (city) => ({ filter: `City eq ${literal(city)}`, top: 50, expand: 'Media,Rooms' })),
    floor: ({ cities }, path) => gets(cities, (city) => `${path}/${encodeURIComponent(city)}`),
  },
  {
    id: 'W4',
    clients: everyClients,
    unit: 'requests',
    gable: ({ prices }) =>
      queries(prices, (price) => ({ filter: `StandardStatus eq 'Active' and ListPrice ge ${price}`, count: true, top: 0 })),
    floor: ({ prices }, path) => gets(prices, (price) => `${path}/${price}`),
  },
  {
    id: 'W5',
    clients: everyClients,
    unit: 'requests',
    gable: ({ materials }) =>
      queries(materials, (material) => ({ filter: `ConstructionMaterials/any(t:t eq ${literal(material)})`, top: 50, select })),
    floor: ({ materials }, path) => gets(materials, (material) => `${path}/${encodeURIComponent(material)}`),
  },
  {
    id: 'W6',
    clients: [1],
    unit: 'records',
    gable: (samples) => walk(`/odata/Property?${queryOptions({ orderby: 'ModificationTimestamp,ListingKey' })}`, samples),
    floor: (samples, path) => walk(path, samples),
  },
  {
    id: 'W7',
    clients: [1, 8, 16],
    unit: 'requests',
    gable: (samples) => cycle(samples, set, [`${set}('`, `')`]),
    floor: (samples, path) => cycle(samples, path, [`${path}/`, '']),
  },
  {
    id: 'W8',
    clients: everyClients,
    unit: 'requests',
    gable: () => gets([''], () => '/odata/$metadata'),
    floor: (_samples, path) => gets([''], () => path),
  },
  {
    id: 'W9',
    clients: fewClients,
    unit: 'requests',
    gable: ({ cities }) =>
      queries(cities, (city) => ({ filter: `City eq ${literal(city)}`, top: 50, select: 'ListingKey,City', expand: lastMedia })),
    floor: ({ cities }, path) => gets(cities, (city) => `${path}/${encodeURIComponent(city)}`),
  },
  {
    id: 'W10',
    clients: fewClients,
    unit: 'requests',
    gable: () => queries([''], () => ({ apply: 'groupby((City),aggregate($count as N,ListPrice with average as A))', orderby: 'City' })),
    floor: (_samples, path) => gets([''], () => path),
  },
  {
    id: 'W11',
    clients: fewClients,
    unit: 'requests',
    gable: ({ cities }) => queries(cities, (city) => ({ filter: `ListAgent/Office/OfficeCity eq ${literal(city)}`, top: 50, select })),
    floor: ({ cities }, path) => gets(cities, (city) => `${path}/${encodeURIComponent(city)}`),
  },
  {
    id: 'W12',
    clients: fewClients,
    unit: 'requests',
    gable: ({ remarks }) => queries(remarks, (words) => ({ filter: `contains(PublicRemarks,${literal(words)})`, top: 50, select })),
    floor: ({ remarks }, path) => gets(remarks, (words) => `${path}/${encodeURIComponent(words)}`),
  },
  {
    id: 'W13',
    clients: fewClients,
    unit: 'requests',
    gable: ({ keys }) => batchesOfReads('/odata/$batch', keys),
    floor: ({ keys }, path) => batchesOfReads(path, keys),
  },
  {
    id: 'W14',
    clients: fewClients,
    unit: 'requests',
    gable: (samples) => changeSet('/odata/$batch', samples),
    floor: (samples, path) => changeSet(path, samples),
  },
];

/** The plan of a workload at a server. */
export function planFor(workload: Workload, server: ServerName, samples: Samples): Plan {
  const isFloor = server === 'F1' || server === 'F2';
  return isFloor ? workload.floor(samples, `/${server}/${workload.id}`) : workload.gable(samples);
}

const set = '/odata/Property';
const select = summaryProperties.join(',');
const lastMedia = 'Media($select=MediaKey,Order;$filter=Order ge 2;$orderby=Order desc;$top=10;$expand=Property($select=ListingKey,City))';

function gets(values: readonly string[], path: (value: string) => string): Plan {
  return { kind: 'list', requests: values.map((value): LoadRequest => ({ method: 'GET', path: path(value) })) };
}

function queries(values: readonly string[], options: (value: string) => { readonly [name: string]: string | number | boolean }): Plan {
  return gets(values, (value) => `${set}?${queryOptions(options(value))}`);
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Records of a page of W6; the product learns it from a Prefer header. */
export const walkPageSize = 1000;

function walk(first: string, { listings }: Samples): Plan {
  return { kind: 'walk', first, pageSize: walkPageSize, records: listings };
}

/** Requests of a batch. */
const batchSize = 20;

function batchesOfReads(path: string, keys: readonly string[]): Plan {
  const bodies: object[] = [];
  for (let start = 0; start + batchSize <= keys.length; start += batchSize)
    bodies.push(batchOf(keys.slice(start, start + batchSize).map((key) => ({ method: 'GET', url: `Property('${key}')` }))));
  return { kind: 'list', requests: bodies.map((body) => ({ method: 'POST', path, body: JSON.stringify(body) })) };
}

function changeSet(path: string, samples: Samples): Plan {
  const body = draft(samples);
  const requests = Array.from({ length: batchSize }, () => ({ atomicityGroup: 'g', method: 'POST', url: 'Property', body }));
  return { kind: 'list', requests: [{ method: 'POST', path, body: JSON.stringify(batchOf(requests)) }] };
}

function batchOf(requests: readonly object[]): object {
  return { requests: requests.map((request, index) => ({ id: String(index + 1), ...request })) };
}

function draft({ member, office }: Samples): object {
  return {
    ListAgentKey: member,
    ListOfficeKey: office,
    PropertyType: 'Residential',
    StreetNumber: '12',
    StreetName: 'Elm',
    City: 'Toronto',
  };
}

function cycle(samples: Samples, path: string, record: readonly [string, string]): Plan {
  const { member } = samples;
  const changes = [
    { StandardStatus: 'Active', ChangedByMemberKey: member },
    { ListPrice: 512_500, ChangedByMemberKey: member },
  ];
  return { kind: 'cycle', set: path, record, create: draft(samples), changes };
}
