import type { ByteWriter } from './byte-writer.js';
import type { Written } from './move-inside.js';
import { scanArray, scanMembers, type Span } from './scan-json.js';

/** Members that are to stand in an item, and which one: its place in each collection on the way, counted from 1 as the statement does. */
interface Piece {
  readonly places: readonly number[];
  readonly members: Span;
}

/**
 * Moves the members of the objects in the array that was written last, each to the end of the value that the names lead to
 * in the item at its places. These tell it, since of items of several types only some may have such a collection; where
 * an item has no such value it shows nothing.
 */
export function moveIntoItems(out: ByteWriter, { from, at }: Written, within: readonly string[]): void {
  // Of a record that is of another type nothing was written.
  if (at === out.length) return;
  const source = Buffer.from(out.bytes.subarray(from, out.length));
  const shown = shownIn(source, { start: 0, end: at - from }, { names: within, depth: 0 }, piecesAt(source, at - from));
  out.length = from;
  let copied = 0;
  for (const { value, members } of shown) {
    out.copy(source, copied, value.end - 1);
    if (source[value.end - 2] !== openBrace) out.byte(comma);
    out.copy(source, members.start, members.end);
    copied = value.end - 1;
  }
  out.copy(source, copied, at - from);
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const comma = 0x2c;

// Each is an array of its places, and the object.
function piecesAt(source: Buffer, at: number): readonly Piece[] {
  const pieces: Piece[] = [];
  scanArray(source, at, (piece) => {
    let places: readonly number[] = [];
    scanArray(source, piece, (start, end) => {
      if (source[start] === openBracket)
        places = source
          .toString('latin1', start + 1, end - 1)
          .split(',')
          .map(Number);
      else if (end - start > 2) pieces.push({ places, members: { start: start + 1, end: end - 1 } });
    });
  });
  return pieces;
}

/** The names that lead on, and how many collections lie behind. */
interface Way {
  readonly names: readonly string[];
  readonly depth: number;
}

/** A value that shows something. */
interface Shown extends Pick<Piece, 'members'> {
  readonly value: Span;
}

// The members of the record have no brace of their own.
function shownIn(source: Buffer, members: Span, { names: [name = '', ...names], depth }: Way, pieces: readonly Piece[]): readonly Shown[] {
  const value = scanMembers(source, members.start, members.end).get(name);
  return value === undefined ? [] : shownAt(source, value, { names, depth }, pieces);
}

function shownAt(source: Buffer, value: Span, { names, depth }: Way, pieces: readonly Piece[]): readonly Shown[] {
  if (source[value.start] === openBracket) return shownInItems(source, value, { names, depth }, pieces);
  if (source[value.start] !== openBrace) return [];
  if (names.length === 0) return pieces.slice(0, 1).map(({ members }) => ({ value, members }));
  return shownIn(source, { start: value.start + 1, end: value.end }, { names, depth }, pieces);
}

function shownInItems(source: Buffer, value: Span, { names, depth }: Way, pieces: readonly Piece[]): readonly Shown[] {
  const byPlace = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const place = piece.places[depth] ?? 0;
    const known = byPlace.get(place);
    if (known) known.push(piece);
    else byPlace.set(place, [piece]);
  }
  const shown: Shown[] = [];
  let place = 0;
  scanArray(source, value.start, (start, end) => {
    const own = byPlace.get(++place);
    if (own) for (const one of shownAt(source, { start, end }, { names, depth: depth + 1 }, own)) shown.push(one);
  });
  return shown;
}
