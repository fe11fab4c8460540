import { errors } from '../errors/catalogue.js';
import { bodyError, found, type JsonScan, readString, skipSpace } from './read-string.js';
import { isObject, type Json, type JsonArray, type JsonNumber, type JsonObject } from './json.js';

/** Limits of the parts of a body; its size in bytes is limited where it is read. */
const jsonLimits = {
  depth: 32,
  members: 2000,
  items: 1000,
} as const;

/** Parses the body of a request strictly (RFC 8259): no repeated members, no rounding of numbers. */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const scan: JsonScan = { text: decode(bytes), at: 0, path: [] };
  skipSpace(scan);
  if (scan.at === scan.text.length) throw errors.malformedBody('it is empty');
  const value = readValue(scan);
  skipSpace(scan);
  if (scan.at < scan.text.length) throw bodyError(scan, scan.at, `nothing may follow the value, but ${found(scan)} does`);
  if (!isObject(value)) throw errors.malformedBody(`it is ${kindOf(value)}`);
  return value;
}

/** Parses a stored value of any kind. */
export function parseValue(text: string): Json {
  return parseJsonObject(new TextEncoder().encode(`{"value":${text}}`)).members.get('value') ?? null;
}

/** The name of a value's kind in a message. */
function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a Boolean';
  return value.kind === 'object' ? 'an object' : value.kind === 'array' ? 'an array' : 'a number';
}

// A byte-order mark is tolerated; the decoder removes it (RFC 8259, 8.1).
const utf8 = new TextDecoder('utf-8', { fatal: true });
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.+-])/y;
const word = /[A-Za-z]+/y;

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw errors.malformedBody('it is not UTF-8'); // The decoder throws for no other reason.
  }
}

function readValue(scan: JsonScan): Json {
  switch (scan.text[scan.at]) {
    case '{':
      return readObject(scan);
    case '[':
      return readArray(scan);
    case '"':
      return readString(scan);
    default:
      return /[A-Za-z]/.test(scan.text[scan.at] ?? '') ? readWord(scan) : readNumber(scan);
  }
}

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

function readWord(scan: JsonScan): Json {
  word.lastIndex = scan.at;
  const name = word.exec(scan.text)?.[0] ?? '';
  const value = words.get(name);
  if (value === undefined) throw bodyError(scan, scan.at, `${name.slice(0, 40)} is not a JSON value; strings need double quotes`);
  scan.at += name.length;
  return value;
}

function readNumber(scan: JsonScan): JsonNumber {
  number.lastIndex = scan.at;
  const text = number.exec(scan.text)?.[0];
  if (text === undefined) throw bodyError(scan, scan.at, valueAdvice(scan));
  scan.at += text.length;
  return { kind: 'number', text };
}

function valueAdvice(scan: JsonScan): string {
  const character = scan.text[scan.at] ?? '';
  if (character === `'`) return 'strings need double quotes';
  if (character === '/') return 'JSON has no comments';
  if (/[-+.\d]/.test(character)) return 'this number is not valid JSON: no plus sign, no leading zero, digits on both sides of the point';
  return `a value is expected, not ${found(scan)}`;
}

function readObject(scan: JsonScan): JsonObject {
  const members = new Map<string, Json>();
  const open = enter(scan);
  if (!takeEmpty(scan, '}')) {
    do readMember(scan, members);
    while (takeComma(scan, '}', open));
  }
  return { kind: 'object', members };
}

function readMember(scan: JsonScan, members: Map<string, Json>): void {
  skipSpace(scan);
  const start = scan.at;
  if (scan.text[start] !== '"') throw bodyError(scan, start, `a member name in double quotes is expected, not ${found(scan)}`);
  const name = readString(scan);
  if (members.has(name)) throw bodyError(scan, start, `the member ${JSON.stringify(name.slice(0, 60))} is repeated`);
  if (members.size >= jsonLimits.members) throw bodyError(scan, start, `an object has more than ${jsonLimits.members} members`);
  skipSpace(scan);
  if (scan.text[scan.at] !== ':') throw bodyError(scan, scan.at, `a colon is expected after a member name, not ${found(scan)}`);
  scan.at++;
  members.set(name, readStep(scan, name));
}

function readArray(scan: JsonScan): JsonArray {
  const items: Json[] = [];
  const open = enter(scan);
  if (!takeEmpty(scan, ']')) {
    do {
      if (items.length >= jsonLimits.items) throw bodyError(scan, scan.at, `an array has more than ${jsonLimits.items} items`);
      items.push(readStep(scan, items.length));
    } while (takeComma(scan, ']', open));
  }
  return { kind: 'array', items };
}

// The path locates faults; it loses the step after the value has been read.
function readStep(scan: JsonScan, step: string | number): Json {
  scan.path.push(step);
  skipSpace(scan);
  const value = readValue(scan);
  scan.path.pop();
  return value;
}

// The length of the path is the depth.
function enter(scan: JsonScan): number {
  if (scan.path.length >= jsonLimits.depth) throw bodyError(scan, scan.at, `values are nested more than ${jsonLimits.depth} deep`);
  return scan.at++;
}

function takeEmpty(scan: JsonScan, close: string): boolean {
  skipSpace(scan);
  if (scan.text[scan.at] !== close) return false;
  scan.at++;
  return true;
}

function takeComma(scan: JsonScan, close: string, open: number): boolean {
  skipSpace(scan);
  const character = scan.text[scan.at];
  if (character === close) {
    scan.at++;
    return false;
  }
  if (character === undefined) throw bodyError(scan, open, `the bracket that opens here is not closed by ${close}`);
  if (character !== ',') throw bodyError(scan, scan.at, `a comma or ${close} is expected, not ${found(scan)}`);
  const comma = scan.at++;
  skipSpace(scan);
  if (scan.text[scan.at] === close) throw bodyError(scan, comma, `the comma before ${close} is superfluous`);
  return true;
}
