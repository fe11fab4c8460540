import { errors } from '../../errors/catalogue.js';

/** A character class; the cursor is after its bracket. */
export function parseClass(cursor: PatternCursor): string {
  const open = cursor.at - 1;
  const negation = takeIf(cursor, '^') ? '^' : '';
  const items: string[] = [];
  while (!takeIf(cursor, ']')) items.push(parseItem(cursor, open));
  if (items.length === 0) throw errors.typeMismatch(`The pattern has an empty class at character ${open + 1}.`).at(cursor.option);
  return `[${negation}${items.join('')}]`;
}

// A minus between two characters makes a range, anywhere else it is literal.
function parseItem(cursor: PatternCursor, open: number): string {
  const low = takeMember(cursor, open);
  const [minus, next] = cursor.characters.slice(cursor.at, cursor.at + 2);
  if (minus !== '-' || next === undefined || next === ']') return low.text;
  const at = cursor.at;
  cursor.at += 1;
  const high = takeMember(cursor, open);
  if (low.code === undefined || high.code === undefined || low.code > high.code) {
    throw errors.typeMismatch(`The pattern has an invalid range at character ${at + 1}; write \\- for the character.`).at(cursor.option);
  }
  return `${low.text}-${high.text}`;
}

interface Member {
  readonly text: string;
  /** Absent for a set. */
  readonly code?: number;
}

function takeMember(cursor: PatternCursor, open: number): Member {
  const character = peek(cursor);
  if (character === undefined)
    throw errors.typeMismatch(`The pattern has a [ at character ${open + 1} that is not closed.`).at(cursor.option);
  if (character !== '\\') {
    cursor.at += 1;
    return member(literalCharacter(character));
  }
  if (cursor.characters[cursor.at + 1] === 'b') {
    cursor.at += 2;
    return member(literalCharacter('\b'));
  }
  const escape = takeEscape(cursor);
  const set = characterSets[escape];
  if (set === undefined) return member(escape);
  if (set.startsWith('[^')) throw errors.notImplemented(`${escape} within a class of a pattern`).at(cursor.option);
  return { text: set.slice(1, -1) };
}

function member(text: string): Member {
  return { text, code: text.length === 1 ? (text.codePointAt(0) ?? 0) : Number.parseInt(text.slice(2), 16) };
}

/** A position in a pattern; its characters are code points. */
export interface PatternCursor {
  readonly characters: readonly string[];
  at: number;
  readonly option: string;
}

/** The character under the cursor. */
export function peek({ characters, at }: PatternCursor): string | undefined {
  return characters[at];
}

/** Moves over the given character, if it is next. */
export function takeIf(cursor: PatternCursor, character: string): boolean {
  if (peek(cursor) !== character) return false;
  cursor.at += 1;
  return true;
}

/** Every character but line ends, as in ECMAScript. */
export const anyCharacter = String.raw`[^\u000a\u000d\u2028\u2029]`;

const digits = '0-9';
const word = 'A-Za-z0-9\\u005f';
const space = String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;

/** ECMAScript's character sets, independent of the database's locale; within a class they lose their brackets. */
export const characterSets: { readonly [escape: string]: string | undefined } = {
  '\\d': `[${digits}]`,
  '\\D': `[^${digits}]`,
  '\\w': `[${word}]`,
  '\\W': `[^${word}]`,
  '\\s': `[${space}]`,
  '\\S': `[^${space}]`,
};

/** Escapes a character to match itself, also inside a class. */
export function literalCharacter(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

const controls: { readonly [letter: string]: string | undefined } = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' };

/** Escapes of ECMAScript that are not supported. */
const unplannedEscapes: readonly (readonly [RegExp, string])[] = [
  [/[1-9k]/, 'A backreference'],
  [/B/, 'A word boundary in a class'],
  [/[pP]/, 'A Unicode property'],
  [/c/, 'A control character'],
];

/** The translation of an escape: a character set, or a character. */
export function takeEscape(cursor: PatternCursor): string {
  const letter = cursor.characters[cursor.at + 1];
  if (letter === undefined) throw patternFault(cursor, 'a character is missing after the backslash');
  if (characterSets[`\\${letter}`] !== undefined) return advance(cursor, 2, `\\${letter}`);
  const control = controls[letter];
  if (control !== undefined) return advance(cursor, 2, literalCharacter(control));
  const unplanned = unplannedEscapes.find(([letters]) => letters.test(letter));
  if (unplanned) throw errors.notImplemented(`${unplanned[1]} in a pattern`).at(cursor.option);
  if (letter === 'x' || letter === 'u') return takeCode(cursor, letter === 'x' ? 2 : 4);
  if (/[A-Za-z0-9]/.test(letter)) throw patternFault(cursor, `\\${letter} is not an escape`);
  return advance(cursor, 2, literalCharacter(letter));
}

function takeCode(cursor: PatternCursor, length: number): string {
  const hex = cursor.characters.slice(cursor.at + 2, cursor.at + 2 + length).join('');
  const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === length ? Number.parseInt(hex, 16) : 0;
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff)) throw patternFault(cursor, 'a character code is written \\x41 or \\u0041');
  return advance(cursor, 2 + length, literalCharacter(String.fromCodePoint(code)));
}

/** The error for an invalid pattern. */
export function patternFault(cursor: PatternCursor, why: string): Error {
  return errors.typeMismatch(`The pattern is invalid at character ${cursor.at + 1}: ${why}.`).at(cursor.option);
}

function advance(cursor: PatternCursor, by: number, result: string): string {
  cursor.at += by;
  return result;
}
