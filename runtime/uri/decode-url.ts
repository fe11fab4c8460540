import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { excerpt } from '../errors/suggest.js';
import { systemOption } from './option-names.js';
import { type RawOption, uriLimits } from './query-options.js';

/** One option of a query string, percent-decoded; `text` is the original between two `&`. */
interface SplitOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly text: string;
}

/** The non-empty texts between the `&` of a query string. */
export function optionTexts(rawQuery: string): readonly string[] {
  if (rawQuery === '') return [];
  const texts = rawQuery.split('&').filter((text) => text !== '');
  if (texts.length > uriLimits.options) throw errors.limitExceeded(`The query string has more than ${uriLimits.options} options.`);
  return texts;
}

/** Splits an option at its first equals sign; the name may be percent-encoded as well (%24filter). */
export function splitOption(text: string): SplitOption {
  const equals = text.indexOf('=');
  const name = decoded(equals < 0 ? text : text.slice(0, equals));
  return { name, value: equals < 0 ? undefined : decoded(text.slice(equals + 1)), text };
}

/** An option as links repeat it. */
export function rawOption({ name, value = '', text }: SplitOption): RawOption {
  const system = systemOption(name);
  return { name: system === undefined ? name : `$${system}`, value, text };
}

/** Text of a URL for reading only: percent-decoded, or as it is where that is impossible; its request is answered 400. */
export function decodedForReading(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Text of a URL, percent-decoded exactly once; bad encoding and U+0000 are refused. */
export function percentDecode(text: string, where: string): string {
  if (plain.test(text)) return text;
  if (encodedPlain.test(text)) return decodeURIComponent(text);
  const bytes = bytesOf(text);
  if (bytes === undefined) throw refusal(where, `'${excerpt(text)}' has a % without two hexadecimal digits; write %25 for a percent sign`);
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) throw refusal(where, `'${excerpt(text)}' is not percent-encoded UTF-8`);
  if (decoded.includes('\0')) throw refusal(where, 'the character U+0000 is not accepted in a URL');
  return decoded;
}

/** Text of a URL with its characters beyond ASCII percent-encoded; well-formed UTF-16. */
export function encodeNonAscii(text: string): string {
  return text.replace(/[^\u0000-\u007f]+/g, encodeURIComponent);
}

// In a query string a plus sign is a space.
function decoded(text: string): string {
  return percentDecode(text.replaceAll('+', ' '), 'query string');
}

// Most texts are, with or without percent signs; the others are read byte by byte.
const plain = /^[ -$&-~]*$/;
const encodedPlain = /^(?:[ -$&-~]|%[2-6][\da-f]|%7[\da-e])*$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bytesOf(text: string): Uint8Array | undefined {
  // Node's HTTP parser hands over bytes above 127 as characters of the same number.
  const source = /^[\u0000-\u00ff]*$/.test(text) ? Uint8Array.from(text, (one) => one.charCodeAt(0)) : new TextEncoder().encode(text);
  const bytes = new Uint8Array(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] ?? 0;
    const value = byte === 0x25 ? hexByte(source, at + 1) : byte;
    if (value === undefined) return undefined;
    if (byte === 0x25) at += 2;
    bytes[length++] = value;
  }
  return bytes.subarray(0, length);
}

/** The value of each hexadecimal digit, by its character; -1 for other characters. */
const digits = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') digits[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

function hexByte(source: Uint8Array, at: number): number | undefined {
  const [high = -1, low = -1] = [digits[source[at] ?? 0], digits[source[at + 1] ?? 0]];
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined; // The decoder's only answer to bytes that are not UTF-8 is to throw.
  }
}

function refusal(where: string, why: string): ODataError {
  return errors.badOption(`The ${where} is malformed: ${why}.`).at(where);
}
