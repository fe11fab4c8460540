import { performance } from 'node:perf_hooks';
import { finished } from 'node:stream';
import type { Context, Span, TextMapGetter, Tracer } from '@opentelemetry/api';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Recipient } from '../../database/cancel.js';
import type { Service } from '../../http/service.js';
import { isDisconnection } from '../../protocol/connection.js';
import { isWhole, type ODataRequest, type ODataResponse } from '../../protocol/message.js';
import type { Connection } from '../../sql/statement.js';
import type { Sharing, Store } from '../../store/store.js';

/** Creates spans for requests; without an SDK they are discarded. */
export interface Tracing {
  /** Runs the handling of a request within its span. */
  readonly within: (
    request: ODataRequest,
    resource: string,
    answer: () => Promise<ODataResponse>,
    stages: () => readonly Stage[],
  ) => Promise<ODataResponse>;
}

/** Tracing through the API only: the spans go to the SDK that the process has loaded. */
export function createTracing(root: string): Tracing {
  const tracer = trace.getTracer('gable');
  return {
    within: async (request, resource, answer, stages) => {
      const active = context.active();
      // The span of an instrumentation of node:http has read the headers.
      const parent = trace.getSpan(active) === undefined ? propagation.extract(active, request, headers) : active;
      const span = tracer.startSpan(
        `${request.method} ${root}/${resource}`,
        { kind: SpanKind.SERVER, attributes: attributesOf(request, `${root}/${resource}`) },
        parent,
      );
      const inside = trace.setSpan(parent, span);
      const response = await context.with(inside, answer);
      const ended = (failure?: Error | null): void => {
        for (const stage of stages()) spanOf(stage, tracer, inside);
        end(span, response, failure ?? undefined);
      };
      if (isWhole(response)) ended();
      else finished(response.body, ended);
      return response;
    },
  };
}

// The names are OpenTelemetry's semantic conventions for HTTP; the query is omitted, since it may contain data.
function attributesOf({ method, id }: ODataRequest, route: string): Record<string, string> {
  return { 'http.request.method': method, 'http.route': route, 'gable.request_id': id };
}

const headers: TextMapGetter<ODataRequest> = {
  get: (request, name) => request.header(name.toLowerCase()),
  keys: () => ['traceparent', 'tracestate', 'baggage'],
};

function spanOf({ name, start, end }: Stage, tracer: Tracer, parent: Context): void {
  tracer.startSpan(name, { startTime: performance.timeOrigin + start }, parent).end(performance.timeOrigin + end);
}

function end(span: Span, { status }: ODataResponse, failure: Error | undefined): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500 || (failure !== undefined && !isDisconnection(failure))) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The stages of a request for observers: the store's work lies between planning and rendering. */
type StageName = 'authenticate' | 'plan' | 'acquire' | 'execute' | 'render';

/** The start and end of a stage, in milliseconds since the process began. */
interface Stage {
  readonly name: StageName;
  readonly start: number;
  readonly end: number;
}

/** A service that measures one request. */
interface WatchedService {
  readonly service: Service;
  /** The stages so far; the last one is rendering. */
  readonly stages: () => readonly Stage[];
}

/**
 * Measures a request at the ports of the service, so that the stages are unaware of it. Rows are rendered while they
 * arrive: that part of rendering counts as `execute`.
 */
export function watchStages(service: Service): WatchedService {
  const stages: Stage[] = [];
  let from = performance.now();
  const mark = (name: StageName): void => {
    const end = performance.now();
    stages.push({ name, start: from, end });
    from = end;
  };
  const watched: Service = {
    ...service,
    authenticate: async (authorization) => {
      try {
        return await service.authenticate(authorization);
      } finally {
        mark('authenticate');
      }
    },
    store: watchStore(service.store, mark),
  };
  return { service: watched, stages: () => [...stages, { name: 'render', start: from, end: performance.now() }] };
}

type Work<Result> = (connection: Connection) => Promise<Result>;

function watchStore(store: Store, mark: (name: StageName) => void): Store {
  const watch = async <Result>(run: Store['read'], work: Work<Result>, recipient: Recipient, sharing?: Sharing): Promise<Result> => {
    mark('plan');
    let stage: StageName = 'acquire';
    try {
      return await run(
        (connection) => {
          mark(stage);
          stage = 'execute';
          return work(connection);
        },
        recipient,
        sharing,
      );
    } finally {
      mark(stage);
    }
  };
  return {
    ...store,
    read: (work, recipient, sharing) => watch(store.read, work, recipient, sharing),
    transaction: (work, recipient) => watch(store.transaction, work, recipient),
  };
}

/** The stages as a `Server-Timing` header (W3C), summed by name. */
export function serverTiming(stages: readonly Stage[]): string {
  const totals = new Map<string, number>();
  for (const { name, start, end } of stages) totals.set(name, (totals.get(name) ?? 0) + end - start);
  const first = stages[0]?.start ?? 0;
  const rows = [...totals, ['total', (stages.at(-1)?.end ?? first) - first] as const];
  return rows.map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`).join(', ');
}
