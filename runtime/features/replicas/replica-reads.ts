import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionPool } from '../../database/pool.js';
import { ODataError } from '../../errors/odata-error.js';
import type { Answer, Service } from '../../http/service.js';
import type { SkipToken, TokenSeal } from '../../paging/skiptoken.js';
import type { ODataRequest, ODataResponse } from '../../protocol/message.js';
import type { Store } from '../../store/store.js';
import { decodedForReading } from '../../uri/decode-url.js';
import { openReplicas, type Replica, type ReplicaOptions, type ReplicaPools, type ReplicaState, parsePosition } from './pools.js';
import { errors } from '../../errors/catalogue.js';
import type { Connection } from '../../sql/statement.js';

/** The header of answers to writes, which a client may send back to read its own writes. */
const header = 'Gable-Position';

/** Milliseconds that a read waits for a replica to reach the position that it requires, and between two looks. */
const longest = 100;
const pause = 5;

/** The primary's number among the sources of reads. */
const primaryNumber = 0;

/** The replicas of a service in use. */
export interface ReplicaReads {
  /** Lets reads be answered from replicas where they may be; everything else goes to the primary. */
  readonly around: (answer: Answer) => Answer;
  readonly states: () => readonly ReplicaState[];
  readonly close: () => Promise<void>;
}

/** Connects to replicas; `replicaSticky` are the milliseconds after a write for which its client reads from the primary. */
export async function readReplicas(
  primary: ConnectionPool,
  options: ReplicaOptions & { readonly replicaSticky: number },
): Promise<ReplicaReads> {
  const pools = await openReplicas(primary, options);
  const writers = recentWriters(options.replicaSticky);
  const turn = turns();
  return {
    around: (answer) => async (request, service) => {
      if (!isRead(request)) return withPosition(await answer(request, service), request, service, { pools, writers });
      const isPinned = writers.has(request) || needsPrimary(request, service);
      return answer(request, isPinned ? pinned(service, pools, turn) : routed(request, service, pools, turn));
    },
    states: pools.states,
    close: pools.close,
  };
}

// A query in the body of a POST is a read.
function isRead({ method, path }: ODataRequest): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && path.endsWith('/$query'));
}

// The horizon of the change log is that of the primary.
function needsPrimary(request: ODataRequest, { container }: Service): boolean {
  if (/track-changes/.test(request.header('prefer') ?? '') || /deltatoken/i.test(request.query)) return true;
  const address = decodedForReading(`${request.path}?${request.query}`);
  return Object.entries(container.entitySets).some(
    ([set, type]) => container.entityTypes[type]?.events !== undefined && address.includes(set),
  );
}

async function withPosition(
  response: ODataResponse,
  request: ODataRequest,
  service: Service,
  { pools, writers }: { readonly pools: ReplicaPools; readonly writers: ReturnType<typeof recentWriters> },
): Promise<ODataResponse> {
  if (response.status >= 400) return response;
  writers.add(request);
  // The write is done; without a position its client's reads go to the primary for a while.
  const position = await pools.position().catch((failure: unknown) => void service.logFailure(failure, request.id));
  return position === undefined ? response : { ...response, headers: { ...response.headers, [header]: position } };
}

/** The clients that wrote within the last milliseconds, by their authorization. */
function recentWriters(sticky: number): {
  readonly add: (request: ODataRequest) => void;
  readonly has: (request: ODataRequest) => boolean;
} {
  const times = new Map<string, number>();
  return {
    add: (request) => {
      const now = performance.now();
      // Insertion order is the order of the times.
      for (const [key, time] of times) if (now - time > sticky) times.delete(key);
      times.delete(clientOf(request));
      times.set(clientOf(request), now);
    },
    has: (request) => performance.now() - (times.get(clientOf(request)) ?? -Infinity) <= sticky,
  };
}

function clientOf({ header: read }: ODataRequest): string {
  return read('authorization') ?? '';
}

function turns(): (replicas: readonly Replica[]) => Replica | undefined {
  let next = 0;
  return (replicas) => replicas[(next = (next + 1) % Math.max(1, replicas.length))];
}

type Turn = ReturnType<typeof turns>;

// All pages of a chain come from one source, so that a later page is never older. Its number is in the token.
type SourcedToken = SkipToken & { readonly source?: number };

/** The service whose pages continue on the primary. */
function pinned(service: Service, pools: ReplicaPools, turn: Turn): Service {
  const source: Source = { pools, turn, chosen: primaryNumber };
  return { ...service, seal: sourcedSeal(service.seal, source) };
}

interface Source {
  readonly pools: ReplicaPools;
  readonly turn: Turn;
  /** The header with the position that the read requires. */
  readonly required?: string | undefined;
  /** The source of the earlier pages. */
  before?: number;
  /** The source of this request, once it reads. */
  chosen?: number;
}

function routed(request: ODataRequest, service: Service, pools: ReplicaPools, turn: Turn): Service {
  const source: Source = { pools, turn, required: request.header('gable-position') };
  return { ...service, seal: sourcedSeal(service.seal, source), store: routedStore(service.store, source) };
}

function sourcedSeal(seal: TokenSeal, source: Source): TokenSeal {
  return {
    seal: (token, request) => {
      const sourced: SourcedToken = { ...token, source: source.chosen ?? primaryNumber };
      return seal.seal(sourced, request);
    },
    open: (text, request, option) => {
      const token: SourcedToken = seal.open(text, request, option);
      source.before = token.source ?? primaryNumber;
      return token;
    },
  };
}

function routedStore(store: Store, source: Source): Store {
  let replica: Promise<Replica | undefined> | undefined;
  return {
    ...store,
    read: async (work, recipient, sharing) => {
      const chosen = await (replica ??= chooseReplica(source));
      source.chosen = chosen?.number ?? primaryNumber;
      if (chosen === undefined) return store.read(work, recipient, sharing);
      const attempt = attemptOn(chosen);
      try {
        return await attempt.read(work, recipient, sharing);
      } catch (failure) {
        if (!(failure instanceof ODataError && failure.status === 503)) throw failure;
        source.pools.eject(chosen);
        // Rows may have been sent already.
        if (attempt.isAnswered()) throw failure;
        replica = Promise.resolve(undefined);
        source.chosen = primaryNumber;
        return store.read(work, recipient, sharing);
      }
    },
  };
}

async function chooseReplica({ pools, turn, required, before }: Source): Promise<Replica | undefined> {
  const serving = pools.serving();
  const replica = before === undefined ? turn(serving) : serving.find(({ number }) => number === before);
  if (replica === undefined || required === undefined) return replica;
  const position = parsePosition(required);
  if (position === undefined || position.timeline !== pools.timeline()) return undefined;
  for (const end = performance.now() + longest; performance.now() < end; await delay(pause)) {
    const replayed = await replica.replayed().catch(() => undefined);
    if (replayed === undefined) return undefined;
    if (replayed >= position.at) return replica;
  }
  return undefined;
}

interface State {
  isAnswered: boolean;
  isAbandoned: boolean;
}

function attemptOn({ store, onExcluded }: Replica): { readonly read: Store['read']; readonly isAnswered: () => boolean } {
  const state: State = { isAnswered: false, isAbandoned: false };
  return {
    isAnswered: () => state.isAnswered,
    read: (work, recipient, sharing) => {
      let stop: (() => void) | undefined;
      const excluded = new Promise<never>((_, fail) => {
        stop = onExcluded(() => {
          if (state.isAnswered) return;
          state.isAbandoned = true;
          fail(errors.databaseUnavailable());
        });
      });
      return Promise.race([store.read((connection) => work(watched(connection, state)), recipient, sharing), excluded]).finally(stop);
    },
  };
}

// Rows that come after an abandonment belong to nobody.
function watched(connection: Connection, state: State): Connection {
  const requireAttempt = (): void => {
    if (state.isAbandoned) throw errors.databaseUnavailable();
    state.isAnswered = true;
  };
  const run: Connection['run'] = async (statement) => {
    const rows = await connection.run(statement);
    requireAttempt();
    return rows;
  };
  const each: Connection['each'] = async (statement, onRow) => {
    await connection.each(statement, (row) => {
      if (state.isAbandoned) return;
      state.isAnswered = true;
      onRow(row);
    });
    requireAttempt();
  };
  return { ...connection, run, each, ahead: (statement) => () => run(statement) };
}
