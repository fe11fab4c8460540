import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { ahead, openCursor } from '../expression/cursor.js';
import { excerpt } from '../errors/suggest.js';
import { withParameter } from '../expression/plan-parameter.js';
import { uriLimits } from './query-options.js';
import { isAliasName } from './option-names.js';
import type { KeyLiteral, KeyPredicate } from './resource-path.js';
import type { ParameterRecording } from './shape.js';

/** The name of the path in error messages. */
export const pathTarget = 'resource path';

/** A syntax error in the decoded resource path. */
export function pathError(at: number, expected: string): ODataError {
  return errors.syntax(pathTarget, at, expected).at(pathTarget).in({ at, option: pathTarget });
}

/** ABNF rule keyPredicate: the text in the parentheses of a segment; `offset` is its position in the whole path. */
export function parseKey(text: string, offset: number, parameters?: ParameterRecording): KeyPredicate {
  if (text.trim() === '') return { kind: 'named', literals: [] };
  const parts = splitKey(text, offset).map((part) => parsePart(part, parameters));
  const [first] = parts;
  if (first?.name === undefined && parts.length === 1 && first) return { kind: 'single', literal: first.literal };
  return { kind: 'named', literals: parts.map((part) => requireName(part, parts)) };
}

interface KeyText {
  readonly text: string;
  readonly at: number;
}

interface KeyPart {
  readonly name: string | undefined;
  readonly literal: KeyLiteral;
  readonly at: number;
}

function splitKey(text: string, offset: number): readonly KeyText[] {
  const parts: KeyText[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === `'`) quoted = !quoted;
    if (at < text.length && (quoted || text[at] !== ',')) continue;
    parts.push({ text: text.slice(start, at), at: offset + start });
    if (parts.length > uriLimits.keyValues)
      throw errors.limitExceeded(`The parentheses at position ${offset} have more than ${uriLimits.keyValues} values.`).at(pathTarget);
    start = at + 1;
  }
  return parts;
}

function parsePart({ text, at }: KeyText, parameters: ParameterRecording | undefined): KeyPart {
  const [, blank = '', name, value = ''] = /^(\s*)(?:([^\s'=]+)\s*=)?(.*)$/su.exec(text) ?? [];
  const literalAt = at + text.length - value.length;
  const trimmed = value.trim();
  const literal = parseLiteral(trimmed, literalAt);
  // Aliases and quoted words are read by name, so they are no parameters.
  const parameter =
    literal.alias !== undefined || literal.prefix !== undefined
      ? undefined
      : parameters?.keyAt(literalAt, literalAt + trimmed.length, literal.text);
  return {
    name,
    literal: parameter === undefined ? literal : withParameter({ ...literal }, 'text', { parameter, form: asIs }),
    at: at + blank.length,
  };
}

const asIs = (text: string): string => text;

function parseLiteral(text: string, at: number): KeyLiteral {
  if (text === '') throw pathError(at, `a key value is missing, write ('key') or (Name='key')`);
  if (isAliasName(text, pathTarget)) return { text, quoted: false, alias: text };
  if (!text.startsWith(`'`)) return parsePlain(text, at);
  const inner = text.slice(1, -1);
  if (text.length < 2 || !text.endsWith(`'`)) throw pathError(at, 'the quoted key has no closing quote, or is followed by other text');
  const single = inner.replaceAll(`''`, '').indexOf(`'`);
  if (single >= 0)
    throw pathError(at, `a quote inside a key is doubled, write '${excerpt(inner.replaceAll(`''`, `'`).replaceAll(`'`, `''`))}'`);
  return { text: inner.replaceAll(`''`, `'`), quoted: true };
}

// Reads any literal but a string with the expression lexer; the text itself is passed on.
function parsePlain(text: string, at: number): KeyLiteral {
  if (/^[[{]/.test(text))
    throw pathError(at, 'an array or object is passed with a parameter alias, write (name=@p) and @p=[...] in the query string');
  const cursor = openCursor(text, pathTarget);
  const token = ahead(cursor, 0);
  const whole = token.end === text.length;
  if (whole && (token.kind === 'literal' || token.kind === 'enum')) return literalOf(text, token.value);
  // A single word is left to the planner, which knows the type of the key.
  if (/^[\p{L}\p{N}._-]+$/u.test(text)) return { text, quoted: false };
  throw pathError(at, `'${excerpt(text)}' is not a key value; strings need single quotes`);
}

function literalOf(text: string, value: string): KeyLiteral {
  const quote = text.indexOf(`'`);
  return quote < 0 ? { text, quoted: false } : { text: value, quoted: true, prefix: text.slice(0, quote) };
}

function requireName(part: KeyPart, parts: readonly KeyPart[]): { name: string; literal: KeyLiteral } {
  const { name, literal, at } = part;
  if (name === undefined) throw pathError(at, 'several key values need names, write (Name=1,Other=2)');
  if (parts.some((other) => other !== part && other.name === name)) throw pathError(at, `the key value ${excerpt(name)} is repeated`);
  return { name, literal };
}
