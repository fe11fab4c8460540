import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { propertyFields } from '../../generated/property/fields.js';
import { generatedFolder } from '../../runtime/config/served-model.js';
import { answerNothing, answerRows, readJson, type Body, type Frame } from './answers.js';
import type { JobResult } from './connection.js';
import { answerCreates, answerReads, type BatchBody, type Bound } from './batch.js';
import { openPool } from './pool.js';
import { jsonReads, plainReads, type Reads } from './reads.js';
import { createListing, deleteListing, priceListing, publishListing } from './writes.js';

const poolSize = 10;

// Paths are /F2/W3/<value>, with the varying values of the workload.
const pool = await openPool(process.env['DATABASE_URL'] ?? '', poolSize);
const { run } = pool;
const metadata = readFileSync(join(generatedFolder, 'metadata.xml'));
const server = createServer((request, response) => {
  const [, level, workload, ...values] = (request.url ?? '').split('/');
  answer(request, response, level === 'F1' ? jsonReads : plainReads, workload ?? '', values.map(decodeURIComponent));
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  // The benchmark reads the address from this line.
  process.stdout.write(`The floor serves http://127.0.0.1:${(server.address() as AddressInfo).port}/F2\n`);
});
process.once('SIGTERM', () => process.exit());

function answer(request: IncomingMessage, response: ServerResponse, reads: Reads, workload: string, values: readonly string[]): void {
  const { json } = reads;
  switch (workload) {
    case 'W1':
      return answerRows(run, response, reads.W1, values, { ...record, json });
    case 'W2':
    case 'W3':
    case 'W5':
    case 'W9':
    case 'W10':
    case 'W11':
    case 'W12':
      return answerRows(run, response, reads[workload], values, { ...collection, json });
    case 'W4':
      return answerRows(run, response, reads.W4, values, count);
    case 'W6':
      return answerRows(run, response, values.length === 0 ? reads.firstPage : reads.nextPage, values, pageOf(reads));
    case 'W7':
      return void write(request, response, values).catch(failing(response));
    case 'W13':
      return void readJson<BatchBody>(request)
        .then((batch) => answerReads(pool, response, batch, reads.W1, json))
        .catch(failing(response));
    case 'W14':
      return void readJson<BatchBody>(request)
        .then((batch) => answerCreates(pool, response, batch, created))
        .catch(failing(response));
    case 'W8':
      return void response.writeHead(200, { 'Content-Type': 'application/xml', 'Content-Length': metadata.length }).end(metadata);
    default:
      response.writeHead(404).end();
  }
}

function failing(response: ServerResponse): (failure: unknown) => void {
  return (failure) => void response.writeHead(500).end(String(failure));
}

const record = { before: '', after: () => '' };
const collection = { before: '{"value":[', after: () => ']}' };
const count: Frame = { before: '{"@odata.count":', after: () => ',"value":[]}', json: true };

// The next page begins after the last row's key and stamp. F1 finds them in the text that it passes on.
function pageOf({ json }: Reads): Frame {
  const after = ({ rows, last }: JobResult): string => `]${rows === pageSize ? nextLink(json, last) : ''}}`;
  return { before: '{"value":[', after, json, places: json ? [0] : [keyPlace, stampPlace] };
}

const pageSize = 1000;
const keyPlace = Object.keys(propertyFields).indexOf('ListingKey');
const stampPlace = Object.keys(propertyFields).indexOf('ModificationTimestamp');

function nextLink(json: boolean, last: readonly string[]): string {
  const { ListingKey = '', ModificationTimestamp = '' } = json ? (JSON.parse(last[0] ?? '{}') as { readonly [name: string]: string }) : {};
  const [key = '', stamp = ''] = json ? [ListingKey, ModificationTimestamp] : last;
  return `,"@odata.nextLink":"/${json ? 'F1' : 'F2'}/W6/${encodeURIComponent(stamp)}/${encodeURIComponent(key)}"`;
}

async function write(request: IncomingMessage, response: ServerResponse, values: readonly string[]): Promise<void> {
  if (request.method === 'DELETE') return answerNothing(run, response, deleteListing, values);
  const body = await readJson(request);
  const [statement, binds] = request.method === 'POST' ? created(body) : patched(values[0] ?? '', body);
  answerRows(run, response, statement, binds, { ...record, json: false });
}

function created({ ListAgentKey = '', ListOfficeKey = '', PropertyType = '', StreetNumber = '', StreetName = '', City = '' }: Body): Bound {
  return [createListing, [ListAgentKey, ListOfficeKey, PropertyType, StreetNumber, StreetName, City]];
}

function patched(id: string, { ChangedByMemberKey = '', StandardStatus, ListPrice }: Body): Bound {
  if (StandardStatus !== undefined) return [publishListing, [id, ChangedByMemberKey]];
  return [priceListing, [id, ChangedByMemberKey, String(ListPrice)]];
}
