import { errors } from '../errors/catalogue.js';
import { characterSets, literalCharacter, peek, takeEscape, takeIf, type PatternCursor } from './pattern-cursor.js';

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
