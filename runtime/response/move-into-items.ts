import type { ByteWriter } from './byte-writer.js';
import type { Written } from './move-inside.js';
import { scanArray, scanMembers, type Span } from './scan-json.js';

/** Moves the members of the objects in the array that was written last, each to the end of one of the items that the names lead to, in their order; an item that is null shows nothing. */
export function moveIntoItems(out: ByteWriter, { from, at }: Written, within: readonly string[]): void {
  const source = Buffer.from(out.bytes.subarray(from, out.length));
  const items = itemsAt(source, scanMembers(source, 0, at - from), within);
  const pieces: Span[] = [];
  scanArray(source, at - from, (start, end) => void pieces.push({ start: start + 1, end: end - 1 }));
  out.length = from;
  let copied = 0;
  items.forEach((item, index) => {
    const piece = pieces[index];
    if (item === undefined || piece === undefined || piece.start === piece.end) return;
    out.copy(source, copied, item.end - 1);
    if (source[item.end - 2] !== openBrace) out.byte(comma);
    out.copy(source, piece.start, piece.end);
    copied = item.end - 1;
  });
  out.copy(source, copied, at - from);
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const comma = 0x2c;

// What is no object has a place among the items and shows nothing.
function itemsAt(source: Buffer, members: ReadonlyMap<string, Span>, [name = '', ...deeper]: readonly string[]): readonly (Span | undefined)[] {
  const value = members.get(name);
  if (value === undefined) return [];
  if (source[value.start] !== openBracket) return itemAt(source, value, deeper);
  const items: (Span | undefined)[] = [];
  scanArray(source, value.start, (start, end) => void items.push(...itemAt(source, { start, end }, deeper)));
  return items;
}

function itemAt(source: Buffer, item: Span, deeper: readonly string[]): readonly (Span | undefined)[] {
  const isObject = source[item.start] === openBrace;
  if (deeper.length === 0) return [isObject ? item : undefined];
  return isObject ? itemsAt(source, scanMembers(source, item.start + 1, item.end), deeper) : [];
}
