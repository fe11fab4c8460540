import { readFileSync } from 'node:fs';
import { Sequelize } from 'sequelize';
import { clubRecords, clubSubject, startClub } from '../permission/club-databases.js';
import { listingSubject } from '../permission/listing.js';
import type { Random } from '../permission/random.js';
import { randomChange, type RandomRequest } from '../support/requests/random-request.js';
import { subjectOf, type Subject } from '../support/requests/subject.js';
import { startService, type TestService } from '../support/service.js';
import { startToy } from '../toy/toy-service.js';

/** A service whose changes are copied, with the requests that change it. */
export interface CopiedModel {
  readonly service: TestService;
  readonly subject: Subject;
  /** Tokens of callers who read: one who sees everything, and others. */
  readonly callers: readonly [wide: string, ...narrow: readonly string[]];
  /** The token of the writer. */
  readonly writer: string;
  readonly write: (random: Random) => RandomRequest;
  /** Puts the first records back. */
  readonly reset: () => Promise<void>;
}

/** Models by name: composite keys; containment, derived types, streams and operations; the listing model. */
export const copiedModels: { readonly [name: string]: () => Promise<CopiedModel> } = {
  shops: async () => {
    const callers = {
      all: { subject: 'a', scopes: new Set(['all']) },
      own: { subject: 'o', scopes: new Set(['own']), member: 'M' },
    };
    const service = await startToy('test/changes/shops.xml', callers);
    const { Item, Shop } = service.container.entityTypes;
    const subject = subjectOf(service.container, {
      types: [Item, Item, Shop].flatMap((type) => type ?? []),
      keys: {
        Item: [0, 1, 2, 3, 4, 5].map((number) => `Area='${number % 2 === 0 ? "a''b" : 'c%22d'}',No=${number}`),
        Shop: ['0', '1', '2'],
      },
      literals: { 'Edm.String': ["'M'", "'N'", "'1'", "'2'"], 'Edm.Int32': ['0', '1', '2', '3', '4'], 'Edm.Int64': ['0', '1', '2', '3'] },
    });
    return {
      service,
      subject,
      callers: ['all', 'own'],
      writer: 'all',
      write: (random) => randomChange(random, subject),
      reset: () => execute(service.databaseUrl, 'delete from "Item"; delete from "Shop"'),
    };
  },
  club: async () => {
    const service = await startClub();
    const subject = clubSubject(service.container);
    return {
      service,
      subject,
      callers: ['admin', 'worker', 'reader'],
      writer: 'admin',
      write: (random) => randomChange(random, subject),
      reset: () => execute(service.databaseUrl, clubRecords),
    };
  },
  listing: async () => {
    const service = await startService();
    const records = readFileSync('test/support/listing.sql', 'utf8');
    const tables = [...new Set([...records.matchAll(/insert into ("\w+")/g)].map(([, table]) => table))].join(', ');
    return {
      service,
      subject: listingSubject,
      callers: ['all', 'read'],
      writer: 'write',
      write: (random) => (random.chance(0.6) ? listingChange(random) : randomChange(random, listingSubject)),
      reset: () => execute(service.databaseUrl, `truncate ${tables} cascade; ${records}`),
    };
  },
};

const keys = ['3', '4', '5', '6', 'Draft1', 'Draft2'];

// Rules of the listing model refuse most random bodies.
function listingChange(random: Random): RandomRequest {
  const key = random.pick(keys);
  const body = {
    ChangedByMemberKey: 'M1',
    ...random.pick([
      { City: random.pick(['Ottawa', 'Toronto']) },
      { ListPrice: random.below(4) * 250_000 },
      { PrivateRemarks: 'cash' },
      {},
    ]),
    ...random.pick([{}, {}, { StandardStatus: 'Active', ListPrice: 7 }]),
  };
  const created = { ListAgentKey: 'M1', ListOfficeKey: 'M2', PropertyType: 'Land', StreetNumber: '1', StreetName: 'King', City: 'Ottawa' };
  return random.pick([
    request('PATCH', `/Property('${key}')`, body),
    request('PATCH', `/Property('${key}')`, body),
    request('DELETE', `/Property('${key}')`),
    request('POST', '/Property', created),
    request('PATCH', `/Property/$filter(City%20eq%20'Ottawa')/$each`, body),
  ]);
}

function request(method: string, path: string, body?: object): RandomRequest {
  return { method, path, headers: { 'Content-Type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) };
}

async function execute(databaseUrl: string, text: string): Promise<void> {
  const sequelize = new Sequelize(databaseUrl, { logging: false });
  await sequelize.query(text);
  await sequelize.close();
}
