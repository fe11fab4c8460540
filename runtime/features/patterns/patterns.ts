import { planHooks } from '../../plan/hooks.js';
import { errors } from '../../errors/catalogue.js';
import type { PatternCursor } from './pattern-class.js';
import { anyCharacter, characterSets, literalCharacter, parseClass, peek, takeEscape, takeIf, patternFault } from './pattern-class.js';

/** Registers the patterns of `matchespattern`. */
export function registerPatterns(): void {
  planHooks.register({ translatePattern });
}

const maxLength = 200;
const maxRepeats = 255;
const maxSize = 1000;

/** A piece of a pattern in PostgreSQL's syntax, with the measures that bound its run time. */
interface Piece {
  readonly text: string;
  /** Its number of characters with all repetitions written out. */
  readonly size: number;
  readonly repeats: boolean;
  readonly anchor?: boolean;
}

/**
 * Translates an ECMAScript pattern to PostgreSQL's advanced regular expressions, for the subset that means the same in
 * both: literals, `.`, classes, groups, look-around, alternatives, quantifiers, anchors, `\d`, `\w` and `\s`. Lazy quantifiers
 * become greedy ones, which match the same texts.
 */
function translatePattern(pattern: string, option: string): string {
  const cursor: PatternCursor = { characters: [...pattern], at: 0, option };
  if (cursor.characters.length > maxLength) throw errors.limitExceeded(`A pattern has at most ${maxLength} characters.`).at(option);
  const { text, size } = parseAlternatives(cursor);
  if (peek(cursor) !== undefined) throw patternFault(cursor, 'this ) has no opening (');
  if (size > maxSize) throw errors.limitExceeded(`The repetitions of a pattern expand to at most ${maxSize} characters.`).at(option);
  return text;
}

function parseAlternatives(cursor: PatternCursor): Piece {
  const branches = [parseBranch(cursor)];
  while (takeIf(cursor, '|')) branches.push(parseBranch(cursor));
  return { text: branches.map(({ text }) => text).join('|'), size: sizeOf(branches), repeats: branches.some(({ repeats }) => repeats) };
}

function parseBranch(cursor: PatternCursor): Piece {
  const pieces: Piece[] = [];
  for (let next = peek(cursor); next !== undefined && next !== '|' && next !== ')'; next = peek(cursor)) pieces.push(parsePiece(cursor));
  return { text: pieces.map(({ text }) => text).join(''), size: sizeOf(pieces), repeats: pieces.some(({ repeats }) => repeats) };
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { size }) => sum + size, 0);
}

function parsePiece(cursor: PatternCursor): Piece {
  const atom = parseAtom(cursor);
  const start = cursor.at;
  const quantifier = takeQuantifier(cursor);
  if (quantifier === undefined) return atom;
  if (atom.anchor) throw patternFault({ ...cursor, at: start }, 'an anchor cannot be repeated');
  if (quantifier.repeats && atom.repeats) {
    throw errors
      .typeMismatch(
        `The pattern has a repetition within a repetition at character ${start + 1}; this is not supported, because matching could take exponential time.`,
      )
      .at(cursor.option);
  }
  return { text: `${atom.text}${quantifier.text}`, size: atom.size * quantifier.most, repeats: atom.repeats || quantifier.repeats };
}

function parseAtom(cursor: PatternCursor): Piece {
  const character = peek(cursor) ?? '';
  if (/[*+?{]/.test(character))
    throw patternFault(cursor, `there is nothing for ${character} to repeat; write \\${character} for the character`);
  const boundary = boundaries[cursor.characters.slice(cursor.at, cursor.at + 2).join('')];
  if (boundary !== undefined) {
    cursor.at += 2;
    return { text: boundary, size: 2, repeats: false, anchor: true };
  }
  if (character === '\\') return single(takeEscape(cursor));
  cursor.at += 1;
  switch (character) {
    case '^':
    case '$':
      return { text: character, size: 0, repeats: false, anchor: true };
    case '.':
      return single(anyCharacter);
    case '[':
      return single(parseClass(cursor));
    case '(':
      return parseGroup(cursor);
    default:
      return single(literalCharacter(character));
  }
}

const word = characterSets['\\w'] ?? '';

/** Word boundaries of ECMAScript; those of PostgreSQL depend on its locale. */
const boundaries: { readonly [escape: string]: string | undefined } = {
  '\\b': `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
  '\\B': `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
};

function single(text: string): Piece {
  return { text: characterSets[text] ?? text, size: 1, repeats: false };
}

/** The start of a group in either syntax; the name of a group has no meaning for a match. */
const groupStart = /^\?(?:(:)|([=!]|<[=!])|<[\p{ID_Start}$_][\p{ID_Continue}$]*>)/u;

function parseGroup(cursor: PatternCursor): Piece {
  const open = cursor.at;
  const [start = '', , look] = groupStart.exec(cursor.characters.slice(cursor.at).join('')) ?? [];
  cursor.at += [...start].length;
  if (start === '' && peek(cursor) === '?') throw patternFault(cursor, 'a group starts with (, (?:, (?=, (?!, (?<=, (?<! or (?<name>');
  const inner = parseAlternatives(cursor);
  if (!takeIf(cursor, ')')) throw patternFault({ ...cursor, at: open - 1 }, 'this ( is not closed');
  // A look-around matches no characters, like an anchor.
  return look === undefined ? { ...inner, text: `(?:${inner.text})` } : { ...inner, text: `(?${look}(?:${inner.text}))`, anchor: true };
}

interface Quantifier {
  readonly text: string;
  readonly most: number;
  readonly repeats: boolean;
}

const simpleQuantifiers: { readonly [character: string]: Quantifier | undefined } = {
  '*': { text: '*', most: 1, repeats: true },
  '+': { text: '+', most: 1, repeats: true },
  '?': { text: '?', most: 1, repeats: false },
};

function takeQuantifier(cursor: PatternCursor): Quantifier | undefined {
  const simple = simpleQuantifiers[peek(cursor) ?? ''];
  if (simple === undefined && peek(cursor) !== '{') return undefined;
  const quantifier = simple ?? takeCounts(cursor);
  if (simple) cursor.at += 1;
  takeIf(cursor, '?');
  return quantifier;
}

function takeCounts(cursor: PatternCursor): Quantifier {
  const counts = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(cursor.characters.slice(cursor.at, cursor.at + 12).join(''));
  if (counts === null) throw patternFault(cursor, 'a quantifier is written {2}, {2,} or {2,5}; write \\{ for the character');
  const least = Number(counts[1]);
  const most = Number(counts[3] ?? least);
  if (most < least) throw patternFault(cursor, 'the second number is less than the first');
  if (most > maxRepeats) throw errors.limitExceeded(`A pattern repeats at most ${maxRepeats} times.`).at(cursor.option);
  cursor.at += counts[0].length;
  return { text: counts[0], most: Math.max(most, 1), repeats: true };
}
