import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that answers requests from a file. */
export interface FakeService {
  readonly root: string;
  /** The requests so far, with their preferences and the status of the answer. */
  readonly requests: string[];
  readonly stop: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/**
 * Starts a service with the answers of a text: blocks of `### METHOD PATH`, an optional line with status and headers,
 * and the body. Answers to one request come one after the other; the last one is repeated.
 */
export async function startFake(text: string, metadata: string): Promise<FakeService> {
  const answers = new Map<string, Answer[]>([
    ['GET $metadata', [{ status: 200, headers: [['Content-Type', 'application/xml']], body: metadata }]],
  ]);
  for (const [request, answer] of text.split(/^### /m).slice(1).map(parseBlock))
    answers.set(request, [...(answers.get(request) ?? []), answer]);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { name, asked } = nameOf(request);
    const left = answers.get(name) ?? [];
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? missing(name);
    if (name !== 'GET $metadata') requests.push(`${answer.status} ${name}${asked}`);
    send(response, answer, rootOf(server.address()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    root: rootOf(server.address()),
    requests,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function rootOf(address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}/odata/`;
}

function parseBlock(block: string): readonly [string, Answer] {
  const [request = '', ...lines] = block.trim().split('\n');
  const [, status, given] = /^(\d{3})\b ?(.*)$/.exec(lines[0] ?? '') ?? [];
  const headers = (given ?? '')
    .split('; ')
    .filter((each) => each !== '')
    .map((each) => each.split(': ') as [string, string]);
  const body = lines.slice(status === undefined ? 0 : 1).join('\n');
  return [request, { status: Number(status ?? 200), headers: [['Content-Type', 'application/json'], ...headers], body }];
}

function nameOf({ method = '', url = '', headers }: IncomingMessage): { readonly name: string; readonly asked: string } {
  const prefer = headers['prefer'];
  return {
    name: `${method} ${decodeURIComponent(url.replace('/odata/', ''))}`,
    asked: prefer === undefined ? '' : `  (${String(prefer)})`,
  };
}

/** Replaces ROOT/ by the address of the service, and LOCAL/ by another one of it. */
export function withAddresses(text: string, root: string): string {
  return text.replaceAll('ROOT/', root).replaceAll('LOCAL/', root.replace('127.0.0.1', 'localhost'));
}

function missing(name: string): Answer {
  return {
    status: 403,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ error: { code: '', message: `No answer to ${name}` } }),
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer, root: string): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.writeHead(status).end(withAddresses(body, root));
}
