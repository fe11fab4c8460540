import { createRandom, type Random } from '../permission/random.js';
import { randomRequest } from '../requests/random-request.js';
import type { FuzzModel } from './models.js';

/** One input of a run; the same seed makes the same. */
export interface FuzzInput {
  readonly model: FuzzModel;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An input: a case or a random request, most of them broken in some place; half of them for the first model. */
export function fuzzInput(seed: number, models: readonly [FuzzModel, ...FuzzModel[]]): FuzzInput {
  const random = createRandom(seed);
  const model = random.chance(0.5) ? models[0] : random.pick(models);
  return { model, ...(random.chance(0.5) ? madeInput(model, random) : caseInput(model, random)) };
}

type Sent = Omit<FuzzInput, 'model'>;

// What the grammar makes, with its own method and body.
function madeInput({ subject, corpus }: FuzzModel, random: Random): Sent {
  const { method, path, headers, body } = randomRequest(random, subject);
  const url = urlFrom(random.chance(0.1) ? spliced(path, corpus.urls, random) : path, random);
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), random.chance(0.05) ? broken(value, random) : value]),
  );
  return {
    method: random.chance(0.03) ? random.pick(methods) : method,
    url,
    headers: { ...headersOf(random), ...own },
    body: body === undefined ? new Uint8Array() : bytesOf(broken(body, random), random),
  };
}

const methods = ['GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'PUT', 'OPTIONS'] as const;

// A case of the project, with the body of another.
function caseInput({ subject, corpus }: FuzzModel, random: Random): Sent {
  const method = random.pick(methods);
  const written = method === 'POST' || method === 'PATCH' || method === 'PUT';
  const { entitySet, singleton } = random.pick(subject.types);
  const usual = `/${entitySet ?? singleton}`;
  const url =
    written && random.chance(0.5)
      ? random.pick([usual, `${usual}('3')`, `${usual}(1)`, '/$batch', `${usual}/$query`])
      : spliced(random.pick(corpus.urls), corpus.urls, random);
  const body = written ? bytesOf(broken(random.pick(corpus.bodies), random), random) : new Uint8Array();
  return { method, url: urlFrom(url, random), headers: headersOf(random), body };
}

function spliced(url: string, urls: readonly string[], random: Random): string {
  const other = random.pick(urls);
  return random.chance(0.2) ? url.slice(0, random.below(url.length + 1)) + other.slice(random.below(other.length + 1)) : url;
}

function urlFrom(url: string, random: Random): string {
  return `/${broken(url, random)}`.replace(/^\/+/, '/').slice(0, 16_000);
}

const fragments = [
  '%',
  '%00',
  '%25',
  '%27',
  '%FF',
  '%C3%A9',
  "'",
  "''",
  '(',
  ')',
  '((((((((',
  ')'.repeat(20),
  '/',
  '//',
  '..',
  '$',
  '@',
  '&',
  '=',
  ';',
  ',',
  ':',
  '+',
  '-',
  ' ',
  ' and ',
  ' or ',
  'not ',
  ' eq ',
  ' in ',
  'null',
  'true',
  '1e999',
  '-1',
  '0',
  '9'.repeat(400),
  '1.5',
  'any(x:',
  '/$count',
  '/$value',
  '/$filter(',
  '$it',
  '$root/',
  '$this',
  '@p',
  '__proto__',
  'constructor',
  'toString',
  "duration'P1D'",
  "geography'POINT(0 0)'",
  '2024-02-30',
  '\\',
  '"',
  '[',
  ']',
  '{',
  '}',
  '\u0001',
  '\u{1F3E0}',
  '\ud800',
  '*',
  '#',
  '?',
  '$expand=',
  '$filter=',
  'Rooms',
  'ListAgent/',
  'cast(',
  'case(',
  'concat(',
  "matchespattern(City,'(a+)+$')",
];

function broken(text: string, random: Random): string {
  let result = text;
  for (let times = random.pick([0, 0, 0, 1, 1, 2, 4, 8]); times > 0; times--) {
    const at = random.below(result.length + 1);
    const length = random.below(8);
    const kind = random.below(5);
    if (kind === 0) result = result.slice(0, at) + result.slice(at + length);
    else if (kind === 1) result = result.slice(0, at) + random.pick(fragments) + result.slice(at);
    else if (kind === 2)
      result = result.slice(0, at) + result.slice(at, at + length * 4).repeat(random.pick([2, 3, 50])) + result.slice(at + length * 4);
    else if (kind === 3)
      result = result.slice(0, at) + String.fromCharCode(random.below(random.pick([128, 256, 65_536]))) + result.slice(at + 1);
    else result = result.slice(0, at) + repeated(random.pick(fragments), random) + result.slice(at);
  }
  return result;
}

// Some as often as a request line has room for, which shows what grows with the square of its input.
function repeated(fragment: string, random: Random): string {
  return fragment.repeat(random.chance(0.05) ? Math.ceil(15_000 / fragment.length) : random.pick([1, 1, 2, 100]));
}

// Half of a character's bytes, or a byte that begins none, is no UTF-8.
function bytesOf(text: string, random: Random): Uint8Array {
  const bytes = Buffer.from(text, random.chance(0.1) ? 'latin1' : 'utf8');
  return random.chance(0.1) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}

function headersOf(random: Random): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {
    'content-type': random.pick([
      'application/json',
      'application/json',
      'application/json',
      'text/plain',
      'multipart/mixed;boundary=b',
      'application/json;IEEE754Compatible=true',
      broken('application/json', random),
    ]),
  };
  const others: Readonly<Record<string, string>> = {
    accept: 'application/json;odata.metadata=full',
    prefer: 'return=minimal, maxpagesize=5',
    'odata-version': '4.01',
    'odata-maxversion': '4.0',
    'if-match': 'W/"1"',
    'if-none-match': '*',
  };
  for (const [name, value] of Object.entries(others)) if (random.chance(0.1)) headers[name] = broken(value, random);
  return headers;
}
