import { openHttp, type HttpConnection, type LoadRequest } from '../load/http-connection.js';
import type { Plan } from '../load/task.js';
import type { Samples } from '../workloads/samples.js';
import { planFor, type ServerName, type Workload } from '../workloads/workloads.js';
import { comparable, firstDifference } from './difference.js';
import type { BenchServer } from './servers.js';

/** The rows about a listing's life, apart from the listing itself. */
export type Traces = (number: string) => Promise<readonly string[]>;

/** Refuses to measure servers that do not answer the same. */
export async function check(
  workload: Workload,
  servers: ReadonlyMap<ServerName, BenchServer>,
  samples: Samples,
  traces: Traces,
): Promise<void> {
  const answers = new Map<ServerName, readonly unknown[]>();
  for (const [name, { port, headers }] of servers) {
    const connection = await openHttp(port, headers);
    answers.set(name, await answersTo(planFor(workload, name, samples), connection, traces).finally(connection.close));
  }
  const expected = answers.get('Gable');
  for (const [name, found] of answers) {
    const difference = firstDifference(expected, found, workload.id);
    if (difference !== undefined) throw new Error(`Gable and ${name} do not answer the same: ${difference}.`);
  }
}

const compared = 3;

async function answersTo(plan: Plan, connection: HttpConnection, traces: Traces): Promise<readonly unknown[]> {
  switch (plan.kind) {
    case 'list':
      return oneAfterAnother(plan.requests.slice(0, compared), async (request) =>
        parsed(withoutNumbers(await textOf(connection, request))),
      );
    case 'walk':
      return walked(plan.first, connection);
    case 'cycle':
      return cycled(plan, connection, traces);
  }
}

async function walked(first: string, connection: HttpConnection): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  for (let path: string | undefined = first; path !== undefined && pages.length < compared;) {
    const text: string = await textOf(connection, { method: 'GET', path });
    // Where the data ends with a full page, the floor learns so only from the next, empty one.
    if (!text.includes('"value":[]')) pages.push(comparable(text));
    path = /"@odata\.nextLink":"([^"]*)"\}$/.exec(text)?.[1]?.replace(/^https?:\/\/[^/]*/, '');
  }
  return pages;
}

async function cycled(
  { set, record, create, changes }: Extract<Plan, { kind: 'cycle' }>,
  connection: HttpConnection,
  traces: Traces,
): Promise<readonly unknown[]> {
  const created = await textOf(connection, { method: 'POST', path: set, body: JSON.stringify(create) });
  const number = /"ListingKey":"Draft(\d+)"/.exec(created)?.[1] ?? '';
  const path = record.join(number);
  const changed = await oneAfterAnother(changes, (change) => textOf(connection, { method: 'PATCH', path, body: JSON.stringify(change) }));
  const deleted = await textOf(connection, { method: 'DELETE', path });
  const left = (await traces(number)).map((trace) => trace.replaceAll(number, 'n'));
  return [
    ...[created, ...changed].map((text) =>
      comparable(impersonal(text.replaceAll(`Draft${number}`, 'Draft n').replaceAll(`"${number}"`, '"n"'))),
    ),
    deleted,
    left,
  ];
}

// New listings are drafts with a number.
function withoutNumbers(text: string): string {
  return /"Draft\d+"/.test(text) ? impersonal(text.replaceAll(/"Draft\d+"/g, '"n"')) : text;
}

// Numbers and moments are each server's own.
function impersonal(text: string): string {
  return text.replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|\+00:00)"/g, '"moment"');
}

async function textOf(connection: HttpConnection, request: LoadRequest): Promise<string> {
  const { status, body } = await connection.send(request);
  const text = Buffer.concat(body).toString('utf8');
  if (status >= 300) throw new Error(`${request.method} ${request.path} was answered with ${status}: ${text.slice(0, 400)}`);
  return text;
}

// The metadata document is the one answer that is not JSON.
function parsed(text: string): unknown {
  return text.startsWith('<') ? text : comparable(text);
}

async function oneAfterAnother<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
