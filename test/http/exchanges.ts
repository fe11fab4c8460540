import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { TestService } from '../support/service.js';

/** One request of a `.http` file and the answer that is expected. */
interface Exchange {
  readonly title: string;
  readonly request: string;
  readonly answer: string;
}

/** The names of the files with requests and answers. */
export function exchangeFiles(): readonly string[] {
  return readdirSync(join('test', 'http')).filter((name) => name.endsWith('.http'));
}

/** Carries out a file's requests in order on one service, and compares; with UPDATE=1 the file is written anew. */
export async function checkExchanges(t: ExecutionContext, file: string, service: TestService): Promise<void> {
  const path = join(process.cwd(), 'test/http', file);
  const { preamble, exchanges } = parseFile(readFileSync(path, 'utf8'));
  const last: Last = {};
  const actual: Exchange[] = [];
  for (const exchange of exchanges) actual.push({ ...exchange, answer: await carryOut(exchange.request, service, last) });
  // A failing service is nothing to write down.
  const failed = actual.find(({ answer }) => answer.startsWith('500'));
  if (failed) t.fail(`${file}: ${failed.title}`);
  else if (process.env['UPDATE'] === '1') writeFileSync(path, printFile(preamble, actual));
  if (process.env['UPDATE'] === '1') t.pass('the file was written anew');
  else
    for (const [index, exchange] of actual.entries()) t.is(exchange.answer, exchanges[index]?.answer ?? '', `${file}: ${exchange.title}`);
}

/** Values that later requests may use: `{{etag}}`, `{{nextLink}}`, `{{deltaLink}}`, `{{deltaCount}}`, `{{location}}`. */
interface Last {
  etag?: string;
  nextLink?: string;
  deltaLink?: string;
  location?: string;
}

function parseFile(text: string): { preamble: string; exchanges: readonly Exchange[] } {
  const [preamble = '', ...blocks] = text.split(/^### /m);
  return { preamble, exchanges: blocks.map(parseBlock) };
}

function parseBlock(block: string): Exchange {
  const [title = '', ...lines] = block.split('\n');
  const [request = '', answer = ''] = lines.join('\n').split(/^---\n/m);
  return { title, request: request.trim(), answer: answer.trim() };
}

function printFile(preamble: string, exchanges: readonly Exchange[]): string {
  return preamble + exchanges.map(({ title, request, answer }) => `### ${title}\n${request}\n---\n${answer}\n`).join('\n');
}

async function carryOut(text: string, service: TestService, last: Last): Promise<string> {
  const deltaCount = last.deltaLink?.replace('?', '/$count?');
  const known: Readonly<Record<string, string | undefined>> = { ...last, deltaCount, root: service.root, host: new URL(service.root).host };
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => known[name] ?? `<no ${name}>`);
  const [head = '', ...body] = filled.split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [method = '', target = ''] = line.split(/ (.*)/s);
  const response = await fetch(urlOf(target, service), {
    method,
    headers: Object.fromEntries(await Promise.all(headers.map((header) => parseHeader(header, service)))),
    ...(body.length > 0 && { body: body.join('\n\n') }),
    redirect: 'manual',
  });
  return printAnswer(response, await response.text(), service, last);
}

function urlOf(target: string, { root }: TestService): string {
  return target.startsWith('http') ? target : `${root}${target}`;
}

// `@read` stands for a token of that name.
async function parseHeader(header: string, service: TestService): Promise<[string, string]> {
  if (header.startsWith('@')) return ['Authorization', `Bearer ${await service.token(header.slice(1))}`];
  const colon = header.indexOf(':');
  return [header.slice(0, colon), header.slice(colon + 1).trim()];
}

const shownHeaders = [
  'Content-Type',
  'Content-Language',
  'OData-Version',
  'Location',
  'OData-EntityId',
  'EntityId',
  'ETag',
  'Allow',
  'WWW-Authenticate',
  'Preference-Applied',
  'Retry-After',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'Vary',
  'Accept-Encoding',
] as const;

// Headers of nearly every answer are tested elsewhere, and not printed.
function isUsual(name: string, response: Response): boolean {
  return name === 'Vary' && response.headers.get(name) === 'Accept, OData-MaxVersion, Prefer';
}

function printAnswer(response: Response, body: string, { root }: TestService, last: Last): string {
  const headers = shownHeaders.flatMap((name) =>
    response.headers.has(name) && !isUsual(name, response) ? [`${name}: ${response.headers.get(name)}`] : [],
  );
  last.etag = response.headers.get('etag') ?? last.etag ?? '';
  last.location = response.headers.get('location') ?? last.location ?? '';
  // The page's own link, or else one of an expanded collection.
  last.nextLink = (/"@odata\.nextLink":"([^"]*)"/.exec(body) ?? /@odata\.nextLink":"([^"]*)"/.exec(body))?.[1] ?? '';
  last.deltaLink = /"@odata\.deltaLink":"([^"]*)"/.exec(body)?.[1] ?? last.deltaLink ?? '';
  const text = [String(response.status), ...headers, ...(body === '' ? [] : ['', printBody(body)])].join('\n');
  return steady(text.replaceAll(root, '{root}')).trimEnd();
}

// One record a line; the text itself stays as it was sent, so that 1.50 is not read as 1.5.
function printBody(body: string): string {
  return body.replaceAll('},{', '},\n{').replace('"value":[{', '"value":[\n{');
}

// Values that differ between runs are replaced by placeholders.
function steady(text: string): string {
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 3_600_000).toISOString().slice(0, 10);
  return text
    .replace(/\r\n/g, '\n')
    .replace(/(batch|changeset)response_[\da-f-]{36}/g, '$1response_<id>')
    .replace(/^Content-Length: \d+$/gm, 'Content-Length: <length>')
    .replace(/"requestId":"[^"]*"/g, '"requestId":"<id>"')
    .replace(/W\/"[\w-]{22}"/g, 'W/"<hash>"')
    .replace(/\$(skip|delta)token=(?!latest)[\w-]{20,}/g, '$$$1token=<token>')
    .replace(/whsec_[\w+/=]+/g, 'whsec_<secret>')
    .replace(/hooks\/[\da-f-]{36}|(?<="id":")[\da-f-]{36}/g, '<id>')
    .replace(new RegExp(`(${today}|${yesterday})T\\d\\d:\\d\\d:\\d\\dZ`, 'g'), '<now>')
    .replace(new RegExp(`"(${today}|${yesterday})"`, 'g'), '"<today>"');
}
