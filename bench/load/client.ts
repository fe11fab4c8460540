import type { HttpConnection, LoadRequest } from './http-connection.js';
import type { Recorder } from './recorder.js';
import type { ReadResponse } from './response-reader.js';
import type { Plan } from './task.js';

/** Whether the round is still running. */
type Running = () => boolean;

/** One client: repeats the plan on its connection until the round is over. */
export function runClient(plan: Plan, connection: HttpConnection, recorder: Recorder, running: Running, take: () => number): Promise<void> {
  switch (plan.kind) {
    case 'list':
      return runList(plan, connection, recorder, running, take);
    case 'walk':
      return runWalk(plan, connection, recorder, running);
    case 'cycle':
      return runCycles(plan, connection, recorder, running);
  }
}

type PlanOf<Kind extends Plan['kind']> = Extract<Plan, { readonly kind: Kind }>;

async function runList(
  { requests }: PlanOf<'list'>,
  connection: HttpConnection,
  recorder: Recorder,
  running: Running,
  take: () => number,
): Promise<void> {
  while (running()) {
    const request = requests[take() % requests.length];
    if (request === undefined) throw new Error('The workload has no requests.');
    await timed(connection, request, recorder, 1);
  }
}

async function runWalk(
  { first, pageSize, records }: PlanOf<'walk'>,
  connection: HttpConnection,
  recorder: Recorder,
  running: Running,
): Promise<void> {
  let path = first;
  for (let page = 1; running(); page += 1) {
    const started = performance.now();
    const response = await send(connection, { method: 'GET', path });
    const milliseconds = performance.now() - started;
    const next = nextPath(response);
    recorder.add(milliseconds, response.bytes, next === undefined ? records - (page - 1) * pageSize : pageSize);
    recorder.addPage(page, milliseconds);
    if (next === undefined) page = 0;
    path = next ?? first;
  }
}

// The link is the last member, so the end of the body is enough.
function nextPath({ body }: ReadResponse): string | undefined {
  const end = Buffer.concat(body.slice(-2)).subarray(-4096).toString('latin1');
  const [, link] = /"@odata\.nextLink":"([^"]*)"\}$/.exec(end) ?? [];
  return link?.replace(/^https?:\/\/[^/]*/, '');
}

// A listing that was begun is brought to its end, so that the table is afterwards as it was.
async function runCycles(
  { set, record, create, changes }: PlanOf<'cycle'>,
  connection: HttpConnection,
  recorder: Recorder,
  running: Running,
): Promise<void> {
  while (running()) {
    const created = await timed(connection, { method: 'POST', path: set, body: JSON.stringify(create) }, recorder, 1);
    const [, number] = /"ListingKey":"Draft(\d+)"/.exec(Buffer.concat(created.body).toString('utf8')) ?? [];
    if (number === undefined) throw new Error('A new listing came without its key.');
    const path = record.join(number);
    for (const change of changes) await timed(connection, { method: 'PATCH', path, body: JSON.stringify(change) }, recorder, 1);
    await timed(connection, { method: 'DELETE', path }, recorder, 1);
  }
}

async function timed(connection: HttpConnection, request: LoadRequest, recorder: Recorder, units: number): Promise<ReadResponse> {
  const started = performance.now();
  const response = await send(connection, request);
  recorder.add(performance.now() - started, response.bytes, units);
  return response;
}

async function send(connection: HttpConnection, request: LoadRequest): Promise<ReadResponse> {
  const response = await connection.send(request);
  if (response.status < 300) return response;
  throw new Error(
    `${request.method} ${request.path} was answered with ${response.status}: ${Buffer.concat(response.body).toString('utf8').slice(0, 400)}`,
  );
}
