import { Readable } from 'node:stream';
import {
  context,
  type ContextManager,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import test from 'ava';
import type { ODataRequest, ODataResponse } from '../../runtime/protocol/message.js';
import { createTracing } from '../../runtime/tools/operation/tracing.js';
import { startService } from '../support/service.js';

test('Server-Timing has the stages in order, and none of the database where there was none', async (t) => {
  const service = await startService({ GABLE_SERVER_TIMING: 'true' });
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('read')}` };
  const timing = async (path: string): Promise<string> =>
    ((await fetch(service.root + path, { headers })).headers.get('server-timing') ?? '').replace(/\d+\.\d\d/g, 'N');
  t.is(await timing('/Office?$top=1'), 'authenticate;dur=N, plan;dur=N, acquire;dur=N, execute;dur=N, render;dur=N, total;dur=N');
  t.is(await timing('/Office?$top=x'), 'authenticate;dur=N, render;dur=N, total;dur=N');
});

test.serial('a request and its stages are spans', async (t) => {
  const spans: Recorded[] = [];
  trace.setGlobalTracerProvider(recordingProvider(spans));
  t.teardown(() => trace.disable());
  const service = await startService({ GABLE_TRACES: 'true' });
  t.teardown(() => service.stop());
  await fetch(`${service.root}/Office?$top=1`, { headers: { Authorization: `Bearer ${await service.token('read')}` } });
  t.deepEqual(
    spans.map(({ name }) => name),
    ['GET /odata/Office', 'authenticate', 'plan', 'acquire', 'execute', 'render'],
  );
  t.true(spans.every(({ ended }) => ended));
  t.is(spans[0]?.parent, undefined);
  t.true(spans.slice(1).every(({ parent }) => parent !== undefined));
  t.like(spans[0]?.attributes, { 'http.request.method': 'GET', 'http.route': '/odata/Office', 'http.response.status_code': 200 });
});

test.serial('within the span of an instrumentation, a request is a part of it; a stream lasts until it has been sent', async (t) => {
  const spans: Recorded[] = [];
  trace.setGlobalTracerProvider(recordingProvider(spans));
  const outer = trace.getTracer('http').startSpan('outer');
  const active = trace.setSpan(ROOT_CONTEXT, outer);
  context.setGlobalContextManager({ active: () => active, with: (_, work, self, ...rest) => work.call(self, ...rest), ...inert });
  t.teardown(() => (context.disable(), trace.disable()));
  const body = Readable.from(['x']);
  const request = { method: 'GET', path: '/Office', id: 'r1', header: () => undefined } as unknown as ODataRequest;
  const answer = async (): Promise<ODataResponse> => ({ status: 200, headers: {}, body });
  await createTracing('/odata').within(request, 'Office', answer, () => []);
  const [, span] = spans;
  t.is(span?.parent, outer);
  t.false(span?.ended);
  body.destroy(new Error('The database is lost.'));
  await new Promise((closed) => body.once('close', closed));
  t.deepEqual([span?.ended, span?.status], [true, SpanStatusCode.ERROR]);
});

const inert: Pick<ContextManager, 'bind' | 'enable' | 'disable'> = {
  bind: (_, target) => target,
  enable: () => undefined as never,
  disable: () => undefined as never,
};

interface Recorded {
  readonly name: string;
  readonly parent: Span | undefined;
  ended: boolean;
  status?: SpanStatusCode;
  readonly attributes: Record<string, unknown>;
}

// As little of an SDK as the test needs.
function recordingProvider(spans: Recorded[]): TracerProvider {
  const startSpan = (name: string, options: SpanOptions = {}, parent = context.active()): Span => {
    const record: Recorded = { name, parent: trace.getSpan(parent), ended: false, attributes: { ...options.attributes } };
    spans.push(record);
    const span = {
      setAttribute: (key: string, value: unknown) => ((record.attributes[key] = value), span),
      setStatus: ({ code }: SpanStatus) => ((record.status = code), span),
      end: () => void (record.ended = true),
    };
    return span as unknown as Span; // The parts of a span that are used.
  };
  return { getTracer: () => ({ startSpan }) as unknown as Tracer };
}
