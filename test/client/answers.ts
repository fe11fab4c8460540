import { readFileSync } from 'node:fs';

/** A service that gives the answers of a file: each block has a request, and the status, headers and body of its answer. */
export interface FakeService {
  readonly fetch: typeof fetch;
  /** The requests so far. */
  readonly asked: readonly Request[];
}

/** The service at a root whose answers a file of this folder has. */
export function answering(file: string, root: string): FakeService {
  const blocks = readFileSync(`test/client/${file}`, 'utf8')
    .split(/\n*^### /m)
    .slice(1);
  const exchanges = new Map<string, string[]>();
  for (const block of blocks) exchanges.set(nameOf(block), [...(exchanges.get(nameOf(block)) ?? []), block]);
  const asked: Request[] = [];
  const answer = (url: string, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    asked.push(request);
    const wanted = `${request.method} ${decodeURIComponent(request.url.slice(root.length))}`;
    // Answers to one request come one after the other; the last one is repeated.
    const left = exchanges.get(wanted) ?? [];
    const found = left.length > 1 ? left.shift() : left[0];
    return found === undefined ? Promise.reject(new Error(`No answer to ${wanted}`)) : Promise.resolve(responseOf(found));
  };
  return { fetch: answer as typeof fetch, asked };
}

function nameOf(block: string): string {
  return block.split('\n', 1)[0] ?? '';
}

function responseOf(block: string): Response {
  const [, status = '', ...rest] = `${block}\n\n`.split('\n');
  const blank = rest.indexOf('');
  const headers = rest.slice(0, blank).map((line) => line.split(': ') as [string, string]);
  const body = rest
    .slice(blank + 1)
    .join('\n')
    .trimEnd();
  return new Response(status === '204' ? null : body, { status: Number(status), headers });
}
