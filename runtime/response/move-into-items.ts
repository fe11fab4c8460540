import type { ByteWriter } from './byte-writer.js';
import type { Written } from './move-inside.js';
import { scanArray, scanMembers, type Span } from './scan-json.js';

/** The names that lead to the values of items, of which so many are behind the last collection: these lead to one value for each item. */
export interface ItemsWithin {
  readonly within: readonly string[];
  readonly behind: number;
}

/** Moves the members of the objects in the array that was written last, each to the end of the value in one of the items, in their order; where an item has no such value it shows nothing. */
export function moveIntoItems(out: ByteWriter, { from, at }: Written, { within, behind }: ItemsWithin): void {
  // Of a record that is of another type nothing was written.
  if (at === out.length) return;
  const source = Buffer.from(out.bytes.subarray(from, out.length));
  const values = valuesAt(source, scanMembers(source, 0, at - from), within, behind);
  const pieces: Span[] = [];
  scanArray(source, at - from, (start, end) => void pieces.push({ start: start + 1, end: end - 1 }));
  out.length = from;
  let copied = 0;
  values.forEach((value, index) => {
    const piece = pieces[index];
    if (value === undefined || piece === undefined || piece.start === piece.end) return;
    out.copy(source, copied, value.end - 1);
    if (source[value.end - 2] !== openBrace) out.byte(comma);
    out.copy(source, piece.start, piece.end);
    copied = value.end - 1;
  });
  out.copy(source, copied, at - from);
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const comma = 0x2c;

// One for each item of the last collection, as the statement has one row for each, whatever the item is.
function valuesAt(source: Buffer, members: ReadonlyMap<string, Span>, [name = '', ...deeper]: readonly string[], behind: number): readonly (Span | undefined)[] {
  const value = members.get(name);
  if (value === undefined) return [];
  if (source[value.start] !== openBracket) return isObject(source, value) ? valuesAt(source, membersOf(source, value), deeper, behind) : [];
  const values: (Span | undefined)[] = [];
  scanArray(source, value.start, (start, end) => {
    const item = { start, end };
    if (deeper.length === behind) values.push(valueIn(source, item, deeper));
    else if (isObject(source, item)) values.push(...valuesAt(source, membersOf(source, item), deeper, behind));
  });
  return values;
}

function valueIn(source: Buffer, item: Span, [name, ...deeper]: readonly string[]): Span | undefined {
  if (!isObject(source, item)) return undefined;
  const inner = name === undefined ? item : membersOf(source, item).get(name);
  return inner === undefined || name === undefined ? inner : valueIn(source, inner, deeper);
}

function isObject(source: Buffer, { start }: Span): boolean {
  return source[start] === openBrace;
}

function membersOf(source: Buffer, { start, end }: Span): ReadonlyMap<string, Span> {
  return scanMembers(source, start + 1, end);
}
