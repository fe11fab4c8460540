import { createRandom, type Random } from '../permission/random.js';
import { randomRequest } from '../permission/random-request.js';
import type { Corpus } from './corpus.js';

/** One input of a run; the same seed makes the same. */
export interface FuzzInput {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An input: a case or a random request, most of them broken in some place. */
export function fuzzInput(seed: number, corpus: Corpus): FuzzInput {
  const random = createRandom(seed);
  const method = random.pick(['GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'PUT', 'OPTIONS']);
  const written = method === 'POST' || method === 'PATCH';
  const url = written && random.chance(0.8) ? random.pick(['/Property', "/Property('3')", '/$batch', '/Property/$query']) : urlOf(random, corpus);
  const body = written ? bytesOf(broken(random.pick(corpus.bodies), random), random) : new Uint8Array();
  return { method, url, headers: headersOf(random), body };
}

function urlOf(random: Random, corpus: Corpus): string {
  const url = random.chance(0.4) ? randomRequest(random).path : random.pick(corpus.urls);
  const other = random.pick(corpus.urls);
  const spliced = random.chance(0.2) ? url.slice(0, random.below(url.length + 1)) + other.slice(random.below(other.length + 1)) : url;
  return `/${broken(spliced, random)}`.replace(/^\/+/, '/').slice(0, 16_000);
}

const fragments = ['%', '%00', '%25', '%27', '%FF', '%C3%A9', "'", "''", '(', ')', '((((((((', ')'.repeat(20), '/', '//', '..', '$', '@', '&', '=', ';', ',', ':', '+', '-', ' ', ' and ', ' or ', 'not ', ' eq ', ' in ', 'null', 'true', '1e999', '-1', '0', '9'.repeat(400), '1.5', 'any(x:', '/$count', '/$value', '/$filter(', '$it', '$root/', '$this', '@p', '__proto__', 'constructor', 'toString', "duration'P1D'", "geography'POINT(0 0)'", '2024-02-30', '\\', '"', '[', ']', '{', '}', '\u0001', '\u{1F3E0}', '\ud800', '*', '#', '?', '$expand=', '$filter=', 'Rooms', 'ListAgent/', 'cast(', 'case(', 'concat(', "matchespattern(City,'(a+)+$')"];

function broken(text: string, random: Random): string {
  let result = text;
  for (let times = random.pick([0, 0, 0, 1, 1, 2, 4, 8]); times > 0; times--) {
    const at = random.below(result.length + 1);
    const length = random.below(8);
    const kind = random.below(5);
    if (kind === 0) result = result.slice(0, at) + result.slice(at + length);
    else if (kind === 1) result = result.slice(0, at) + random.pick(fragments) + result.slice(at);
    else if (kind === 2) result = result.slice(0, at) + result.slice(at, at + length * 4).repeat(random.pick([2, 3, 50])) + result.slice(at + length * 4);
    else if (kind === 3) result = result.slice(0, at) + String.fromCharCode(random.below(random.pick([128, 256, 65_536]))) + result.slice(at + 1);
    else result = result.slice(0, at) + random.pick(fragments).repeat(random.pick([1, 1, 2, 100])) + result.slice(at);
  }
  return result;
}

// Half of a character's bytes, or a byte that begins none, is no UTF-8.
function bytesOf(text: string, random: Random): Uint8Array {
  const bytes = Buffer.from(text, random.chance(0.1) ? 'latin1' : 'utf8');
  return random.chance(0.1) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
}

function headersOf(random: Random): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'content-type': random.pick(['application/json', 'application/json', 'application/json', 'text/plain', 'multipart/mixed;boundary=b', 'application/json;IEEE754Compatible=true', broken('application/json', random)]) };
  const others: Readonly<Record<string, string>> = { 'accept': 'application/json;odata.metadata=full', 'prefer': 'return=minimal, maxpagesize=5', 'odata-version': '4.01', 'odata-maxversion': '4.0', 'if-match': 'W/"1"', 'if-none-match': '*' };
  for (const [name, value] of Object.entries(others)) if (random.chance(0.1)) headers[name] = broken(value, random);
  return headers;
}
