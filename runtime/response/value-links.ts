import type { ComplexShape } from '../plan/complex-shape.js';
import type { SelectedColumn, Selection } from '../plan/read-plan.js';
import { castOf } from './address.js';
import type { ByteWriter } from './byte-writer.js';
import type { CellOrigin } from './cell.js';
import { toldOfValues, type LinkText, type ToldOfValues } from './link-texts.js';
import { addressOf, type Cells, type RecordFormat } from './record-writer.js';
import { scanArray, scanMembers, type Span } from './scan-json.js';

/** Where a value is that may have links, or within which some have. */
export interface LinkedValue {
  readonly told: ToldOfValues;
  /** The path to it from the record, without ordinals and casts, and its address. */
  readonly path: string;
  readonly address: string;
  /** Of some items of a collection: where they stand in it, and the cast that leaves them, as it stands behind a place. */
  readonly some?: { readonly places: readonly number[]; readonly cast: string };
}

/** The same of one that was written. */
interface WrittenValue extends LinkedValue {
  readonly span: Span;
  readonly shape: ComplexShape;
  readonly isMany: boolean;
}

/** Prepares the links of complex values, each beneath the address of its value; nothing where there are none to write. */
export function valueLinksWriter(
  selection: Selection,
  { root, metadata }: RecordFormat,
  origin: CellOrigin,
): ((out: ByteWriter, from: number, cells: Cells) => void) | undefined {
  const { type, declared = type, beneathItem } = selection;
  if (beneathItem || declared.transient) return undefined;
  const told = toldOfValues(type, metadata);
  const shown = told ? selection.columns.filter((column) => isWhole(column) && holdsSome(column, told)) : [];
  if (told === undefined || shown.length === 0) return undefined;
  return (out, from, cells) => {
    const source = Buffer.from(out.bytes.subarray(from, out.length));
    const members = scanMembers(source, 0, source.length);
    const address = `${root}/${addressOf(selection, cells, origin)}${castOf(type)}`;
    const links = shown.flatMap(({ name, field, shape }) => {
      const span = members.get(name);
      return span && shape
        ? linksWithin(source, {
            told,
            span,
            shape,
            isMany: field.collection === true,
            path: name,
            address: `${address}/${encodeURIComponent(name)}`,
          })
        : [];
    });
    insert(out, from, source, links);
  };
}

// Of some of the items the places are not known.
function isWhole({ shape, expression, control }: SelectedColumn): boolean {
  return shape !== undefined && expression === undefined && !control;
}

function holdsSome({ name }: SelectedColumn, told: ToldOfValues): boolean {
  return [...told.links.keys()].some((path) => path.startsWith(`${name}/`));
}

/** Adds the links of one value, which was written from an offset on. */
export function linkValue(out: ByteWriter, from: number, value: LinkedValue & Pick<WrittenValue, 'shape' | 'isMany'>): void {
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

function linksWithin(source: Buffer, { some, ...value }: WrittenValue): readonly Added[] {
  const { span, isMany, address } = value;
  if (!isMany) return source[span.start] === openBrace ? linksOfObject(source, value) : [];
  const found: Added[] = [];
  if (source[span.start] !== openBracket) return found;
  const segmentsOf = (index: number): string => (some ? `${some.places[index]}${some.cast}` : `${index}`);
  let index = 0;
  scanArray(source, span.start, (start, end) =>
    found.push(...linksWithin(source, { ...value, span: { start, end }, isMany: false, address: `${address}/${segmentsOf(index++)}` })),
  );
  return found;
}

// What only a derived type has stands behind a cast.
function linksOfObject(source: Buffer, value: WrittenValue): readonly Added[] {
  const { told, span, path } = value;
  const members = scanMembers(source, span.start + 1, span.end);
  const said = members.get('@odata.type');
  const name = said ? source.toString('utf8', said.start + 2, said.end - 1) : '';
  const cast = value.shape.derived(name);
  const [shape, address] = cast ? [cast, `${value.address}/${encodeURIComponent(name)}`] : [value.shape, value.address];
  const inner = shape.members.flatMap((member) => {
    const found = members.get(member.name);
    return found && member.shape
      ? linksWithin(source, {
          told,
          span: found,
          shape: member.shape(),
          isMany: member.field.collection === true,
          path: told.again.get(`${path}/${member.name}`) ?? `${path}/${member.name}`,
          address: `${address}/${encodeURIComponent(member.name)}`,
        })
      : [];
  });
  const text = [...shape.streams, ...shape.links].map((own) => linksOf(told.links.get(`${path}/${own}`), address)).join('');
  return text === '' ? inner : [...inner, { brace: span.end - 1, text }];
}

function linksOf(links: readonly LinkText[] = [], address: string): string {
  return links.map(([before, behind]) => before + address + behind).join('');
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
