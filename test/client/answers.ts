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
  const exchanges = new Map(blocks.map((block) => [block.split('\n', 1)[0] ?? '', block]));
  const asked: Request[] = [];
  const answer = (url: string, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    asked.push(request);
    const wanted = `${request.method} ${decodeURIComponent(request.url.slice(root.length))}`;
    const found = exchanges.get(wanted);
    return found === undefined ? Promise.reject(new Error(`No answer to ${wanted}`)) : Promise.resolve(responseOf(found));
  };
  return { fetch: answer as typeof fetch, asked };
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
