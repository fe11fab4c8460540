import { performance } from 'node:perf_hooks';
import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type TextMapGetter,
  type Tracer,
} from '@opentelemetry/api';
import type { ODataRequest, ODataResponse } from '../../protocol/message.js';
import type { Stage } from './stages.js';

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
      const parent = propagation.extract(context.active(), request, headers);
      const span = tracer.startSpan(
        `${request.method} ${root}/${resource}`,
        { kind: SpanKind.SERVER, attributes: attributesOf(request, `${root}/${resource}`) },
        parent,
      );
      const inside = trace.setSpan(parent, span);
      const response = await context.with(inside, answer);
      for (const stage of stages()) spanOf(stage, tracer, inside);
      end(span, response);
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

function end(span: Span, { status }: ODataResponse): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
