import type { EntityType } from '../edm/index.js';
import type { ComplexShape } from '../plan/complex-shape.js';
import type { SelectedColumn, Selection } from '../plan/read-plan.js';
import { shownName } from '../plan/shown-path.js';
import { castOf } from './address.js';
import type { ByteWriter } from './byte-writer.js';
import type { CellOrigin } from './cell.js';
import { addressOf, isUpdatable, type Cells, type RecordFormat } from './record-writer.js';
import { scanArray, scanMembers, type Span } from './scan-json.js';

/** A value that was written, within which items may have streams. */
interface WrittenValue {
  readonly type: EntityType;
  readonly span: Span;
  readonly shape: ComplexShape;
  readonly isMany: boolean;
  /** It is an item, or lies within one; the streams of other values are the record's. */
  readonly isItem: boolean;
  /** The path to it from the record, without ordinals and casts, and its address. */
  readonly path: string;
  readonly address: string;
}

/** Prepares the links to streams of items, which full metadata has (JSON format 4.6.14): each is beneath the address of its item. */
export function itemLinksWriter(selection: Selection, { root, metadata }: RecordFormat, origin: CellOrigin): ((out: ByteWriter, from: number, cells: Cells) => void) | undefined {
  const { type, columns, beneathItem } = selection;
  if (metadata !== 'full' || beneathItem || type.itemStreams === undefined) return undefined;
  const shown = columns.filter(isWhole);
  return (out, from, cells) => {
    const source = Buffer.from(out.bytes.subarray(from, out.length));
    const members = scanMembers(source, 0, source.length);
    const address = `${root}/${addressOf(selection, cells, origin)}${castOf(type)}`;
    const links = shown.flatMap(({ name, field, shape }) => {
      const span = members.get(name);
      return span && shape ? linksWithin(source, { type, span, shape, isMany: field.collection === true, isItem: false, path: name, address: `${address}/${encodeURIComponent(name)}` }) : [];
    });
    insert(out, from, source, links);
  };
}

// Of some of the items the places are not known.
function isWhole({ shape, expression, control }: SelectedColumn): boolean {
  return shape !== undefined && expression === undefined && !control;
}

/** Adds these links within one value, which was written from an offset on. */
export function linkItemStreams(out: ByteWriter, from: number, value: Omit<WrittenValue, 'span'>): void {
  const source = Buffer.from(out.bytes.subarray(from, out.length));
  insert(out, from, source, linksWithin(source, { ...value, span: { start: 0, end: source.length } }));
}

/** Members that an object gets at its end. */
interface Added {
  readonly brace: number;
  readonly text: string;
}

const openBrace = 0x7b;
const openBracket = 0x5b;

function linksWithin(source: Buffer, value: WrittenValue): readonly Added[] {
  const { span, isMany, address } = value;
  if (!isMany) return source[span.start] === openBrace ? linksOfObject(source, value) : [];
  const found: Added[] = [];
  if (source[span.start] !== openBracket) return found;
  let index = 0;
  scanArray(source, span.start, (start, end) => found.push(...linksWithin(source, { ...value, span: { start, end }, isMany: false, isItem: true, address: `${address}/${index++}` })));
  return found;
}

function linksOfObject(source: Buffer, value: WrittenValue): readonly Added[] {
  const { type, span, isItem } = value;
  const members = scanMembers(source, span.start + 1, span.end);
  const said = members.get('@odata.type');
  const name = said ? source.toString('utf8', said.start + 2, said.end - 1) : '';
  const cast = value.shape.derived(name);
  const [shape, address] = cast ? [cast, `${value.address}/${encodeURIComponent(name)}`] : [value.shape, value.address];
  const inner = shape.members.flatMap((member) => {
    const found = members.get(member.name);
    return found && member.shape ? linksWithin(source, { type, span: found, shape: member.shape(), isMany: member.field.collection === true, isItem, path: `${value.path}/${member.name}`, address: `${address}/${encodeURIComponent(member.name)}` }) : [];
  });
  const text = isItem ? shape.streams.map((stream) => linksOf(value, stream, address)).join('') : '';
  return text === '' ? inner : [...inner, { brace: span.end - 1, text }];
}

// What only a derived type has stands behind a cast in the model's paths.
function linksOf({ type, path }: WrittenValue, name: string, address: string): string {
  const [, stream] = Object.entries(type.itemStreams ?? {}).find(([known]) => shownName(known) === `${path}/${name}`) ?? [];
  if (stream === undefined) return '';
  const link = JSON.stringify(`${address}/${encodeURIComponent(name)}`);
  return [...(isUpdatable(type) && !stream.readOnly ? ['mediaEditLink'] : []), 'mediaReadLink'].map((fact) => `,${JSON.stringify(`${name}@odata.${fact}`)}:${link}`).join('');
}

function insert(out: ByteWriter, from: number, source: Buffer, links: readonly Added[]): void {
  if (links.length === 0) return;
  out.length = from;
  let copied = 0;
  for (const { brace, text } of links.toSorted((a, b) => a.brace - b.brace)) {
    out.copy(source, copied, brace);
    out.text(source[brace - 1] === openBrace ? text.slice(1) : text);
    copied = brace;
  }
  out.copy(source, copied, source.length);
}
