import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { pointerOf } from './place-in.js';

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

// A single class: the run ends at a quote, a backslash or a control character.
const run = /[^"\\\u0000-\u001f]*/y;

// A whole well-formed string; anything else is read step by step to locate the fault.
const wellFormed = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;

/** Reads a string that begins at a quote; rejects NUL and lone surrogates, which PostgreSQL cannot store. */
export function readString(scan: JsonScan): string {
  const start = scan.at;
  wellFormed.lastIndex = start;
  const text = wellFormed.exec(scan.text)?.[0];
  if (text === undefined) return readSteps(scan);
  scan.at += text.length;
  return checked(scan, start, text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)); // The text is a complete string in quotes.
}

function readSteps(scan: JsonScan): string {
  const start = scan.at++;
  const parts: string[] = [];
  for (;;) {
    parts.push(readRun(scan));
    const character = scan.text[scan.at];
    if (character === '"') break;
    if (character === undefined) throw bodyError(scan, start, 'the string that starts here has no closing quote');
    if (character !== '\\') throw bodyError(scan, scan.at, 'a line break or control character in a string must be escaped, as \\n');
    parts.push(readEscape(scan));
  }
  scan.at++;
  return checked(scan, start, parts.join(''));
}

function readRun(scan: JsonScan): string {
  run.lastIndex = scan.at;
  const text = run.exec(scan.text)?.[0] ?? '';
  scan.at += text.length;
  return text;
}

function readEscape(scan: JsonScan): string {
  const letter = scan.text[scan.at + 1] ?? '';
  if (letter === 'u') return readUnicodeEscape(scan);
  const character = escapes.get(letter);
  if (character === undefined) throw bodyError(scan, scan.at, `\\${letter} is not a JSON escape`);
  scan.at += 2;
  return character;
}

function readUnicodeEscape(scan: JsonScan): string {
  const digits = scan.text.slice(scan.at + 2, scan.at + 6);
  if (!/^[\da-f]{4}$/i.test(digits)) throw bodyError(scan, scan.at, '\\u must be followed by four hexadecimal digits');
  scan.at += 6;
  return String.fromCharCode(Number.parseInt(digits, 16));
}

function checked(scan: JsonScan, start: number, text: string): string {
  if (text.includes('\0')) throw bodyError(scan, start, 'a string must not contain U+0000');
  if (/\p{Surrogate}/u.test(text)) throw bodyError(scan, start, 'a string contains an unpaired surrogate');
  return text;
}

/** The position of the reader in a body, and the path of the value being read. */
export interface JsonScan {
  readonly text: string;
  at: number;
  readonly path: (string | number)[];
}

/** The error for a fault of the body, with its position and the path of the value. */
export function bodyError(scan: JsonScan, at: number, why: string): ODataError {
  const place = scan.path.length === 0 ? '' : ` in ${pathText(scan.path)}`;
  const error = errors.malformedBody(`${why}, at position ${at + 1}${place}`);
  error.position = { option: 'body', at: at + 1, length: at < scan.text.length ? 1 : 0, pointer: pointerOf(scan.path) };
  return error;
}

/** Moves over white space, which is four characters in JSON. */
export function skipSpace(scan: JsonScan): void {
  while (isSpace(scan.text.charCodeAt(scan.at))) scan.at++;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The text at the reader, for messages. */
export function found({ text, at }: JsonScan): string {
  const code = text.codePointAt(at);
  return code === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(code));
}

function pathText(path: readonly (string | number)[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `/${step.slice(0, 60)}`)).join('');
  return text.replace(/^\//, '');
}
