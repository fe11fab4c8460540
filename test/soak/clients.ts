import { setTimeout as delay } from 'node:timers/promises';
import { issueToken } from '../../runtime/identity/authenticate.js';
import { createRandom, type Random } from '../permission/random.js';
import { nextRequest, rareShape, type Known, type SoakRequest } from './workload.js';

/** The clients' results so far. */
export interface Met {
  /** By status; 0 stands for no answer, 401 for a token that had expired and was renewed. */
  readonly statuses: Map<number, number>;
  /** Answers that should not have been. */
  readonly faults: string[];
  /** Milliseconds of the answers since they were last taken. */
  times: number[];
}

/** Where they ask, and the secret that tokens are signed with. */
export interface Served {
  readonly url: string;
  readonly secret: string;
  readonly known: Known;
  /** Whether the database is being troubled, so that 503 is the right answer. */
  readonly isTroubled: () => boolean;
}

/** So short that every client meets its end some hundred times. */
const tokenLifetime = 60;

// More shapes than plans are kept.
const fillingRequests = 1_500;

/** Fills what has a bound and is kept, so that filling it is not taken for growth. */
export async function fillCaches(served: Served, met: Met): Promise<void> {
  const client: Client = { served, met, token: '' };
  const random = createRandom(99);
  for (let request = 0; request < fillingRequests; request += 1) await send(client, rareShape(random));
}

/** Runs clients until the signal comes. Each rests as long as it waited, which is about half of what the service could bear. */
export async function runClients(served: Served, count: number, met: Met, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => runClient(served, createRandom(index + 1), met, signal)));
}

async function runClient(served: Served, random: Random, met: Met, signal: AbortSignal): Promise<void> {
  const client: Client = { served, met, token: '' };
  while (!signal.aborted) {
    const started = performance.now();
    if (random.chance(0.08)) await live(client);
    else if (random.chance(0.01)) await leave(client, nextRequest(random, served.known));
    else await send(client, nextRequest(random, served.known));
    await delay(performance.now() - started);
  }
}

interface Client {
  readonly served: Served;
  readonly met: Met;
  token: string;
}

// A listing's life, from draft to deletion.
async function live(client: Client): Promise<void> {
  const { member } = client.served.known;
  const json = { 'Content-Type': 'application/json' };
  const draft = {
    ListAgentKey: member,
    ListOfficeKey: member,
    PropertyType: 'Residential',
    StreetNumber: '1',
    StreetName: 'Soak',
    City: 'Toronto',
  };
  const created = await send(client, { method: 'POST', path: '/Property', body: JSON.stringify(draft), headers: json, statuses: [201] });
  const { ListingKey: key } = JSON.parse(created || '{}') as { readonly ListingKey?: string };
  if (key === undefined) return;
  const change = { ChangedByMemberKey: member, StandardStatus: 'Active', ListPrice: 500_000 };
  await send(client, { method: 'PATCH', path: `/Property('${key}')`, body: JSON.stringify(change), headers: json, statuses: [200] });
  await send(client, { method: 'DELETE', path: `/Property('${key}')`, statuses: [204] });
}

// A client that does not wait for its answer.
async function leave(client: Client, request: SoakRequest): Promise<void> {
  const gone = AbortSignal.timeout(2);
  await fetch(`${client.served.url}/odata${request.path}`, {
    method: request.method,
    headers: { ...request.headers, Authorization: `Bearer ${client.token}` },
    ...(request.body !== undefined && { body: request.body }),
    signal: gone,
  })
    .then(
      (response) => response.arrayBuffer(),
      () => undefined,
    )
    .catch(() => undefined);
}

async function send(client: Client, request: SoakRequest): Promise<string> {
  const { met, served } = client;
  const started = performance.now();
  const { status, text } = await ask(client, request);
  met.times.push(performance.now() - started);
  met.statuses.set(status, (met.statuses.get(status) ?? 0) + 1);
  if (status === 401) {
    client.token = await issueToken(
      { subject: 'soak', scopes: ['listing.read.all', 'listing.write'], lifetime: tokenLifetime },
      { secret: served.secret, issuer: 'gable', audience: 'gable' },
    );
    return send(client, request);
  }
  const isRight = request.statuses.includes(status) || (served.isTroubled() && [503, 404].includes(status));
  if (!isRight) met.faults.push(`${request.method} ${request.path} was answered with ${status}: ${text.slice(0, 300)}`);
  return isRight && status < 300 ? text : '';
}

async function ask(
  { served, token }: Client,
  { method, path, body, headers }: SoakRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(`${served.url}/odata${path}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  } catch (failure) {
    return { status: 0, text: String(failure) };
  }
}
