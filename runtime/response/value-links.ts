import { type EntityType, isDirect } from '../edm/index.js';
import type { ComplexShape } from '../plan/complex-selection.js';
import type { SelectedColumn, Selection } from '../plan/read-plan.js';
import { shownName } from '../plan/shown-path.js';
import { castOf } from './address.js';
import type { ByteWriter } from './byte-writer.js';
import type { CellOrigin } from './cell.js';
import type { PayloadFormat } from './payload-format.js';
import { addressOf, type Cells, type RecordFormat } from './record-format.js';
import { scanMembers, type Span } from './scan-json.js';

/** A single complex value that may have links, itself or in a value within it. */
export interface LinkedValue {
  readonly links: ValueLinks;
  /** The path to it from the record, without casts, and its address. */
  readonly path: string;
  readonly address: string;
}

/** A linked value that was written. */
interface WrittenValue extends LinkedValue {
  readonly span: Span;
  readonly shape: ComplexShape;
}

/** Prepares the links of complex values, each beneath the address of its value; nothing where there are none to write. */
export function valueLinksWriter(
  selection: Selection,
  { root, metadata }: RecordFormat,
  origin: CellOrigin,
): ((out: ByteWriter, from: number, cells: Cells) => void) | undefined {
  const { type, declared = type } = selection;
  if (declared.transient) return undefined;
  const links = valueLinksOf(type, metadata);
  const shown = links ? selection.columns.filter((column) => isWhole(column) && holdsSome(column, links)) : [];
  if (links === undefined || shown.length === 0) return undefined;
  return (out, from, cells) => {
    const source = Buffer.from(out.bytes.subarray(from, out.length));
    const members = scanMembers(source, 0, source.length);
    const address = `${root}/${addressOf(selection, cells, origin)}${castOf(type)}`;
    const added = shown.flatMap(({ name, shape }) => {
      const span = members.get(name);
      return span && shape
        ? linksWithin(source, { links, span, shape, path: name, address: `${address}/${encodeURIComponent(name)}` })
        : [];
    });
    insert(out, from, source, added);
  };
}

function isWhole({ shape, field, expression, control }: SelectedColumn): boolean {
  return shape !== undefined && !field.collection && expression === undefined && !control;
}

function holdsSome({ name }: SelectedColumn, links: ValueLinks): boolean {
  return [...links.keys()].some((path) => path.startsWith(`${name}/`));
}

/** Adds the links of one value, which was written from an offset on. */
export function linkValue(out: ByteWriter, from: number, value: LinkedValue & Pick<WrittenValue, 'shape'>): void {
  const source = Buffer.from(out.bytes.subarray(from, out.length));
  insert(out, from, source, linksWithin(source, { ...value, span: { start: 0, end: source.length } }));
}

/** Members that an object gets at its end. */
interface Added {
  readonly brace: number;
  readonly text: string;
}

const openBrace = 0x7b;
function linksWithin(source: Buffer, value: WrittenValue): readonly Added[] {
  const { links, span, path } = value;
  if (source[span.start] !== openBrace) return [];
  const members = scanMembers(source, span.start + 1, span.end);
  const said = members.get('@odata.type');
  const name = said ? source.toString('utf8', said.start + 2, said.end - 1) : '';
  // Members of a derived type follow a cast.
  const cast = value.shape.derived(name);
  const [shape, address] = cast ? [cast, `${value.address}/${encodeURIComponent(name)}`] : [value.shape, value.address];
  const inner = shape.members.flatMap((member) => {
    const found = members.get(member.name);
    return found && member.shape && !member.field.collection
      ? linksWithin(source, {
          links,
          span: found,
          shape: member.shape(),
          path: `${path}/${member.name}`,
          address: `${address}/${encodeURIComponent(member.name)}`,
        })
      : [];
  });
  const text = shape.links.map((own) => linksOf(links.get(`${path}/${own}`), address)).join('');
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

/** The link members of a value: the text before the value's address, and the text after it. */
type LinkText = readonly [before: string, behind: string];

/** The links of the complex values of a type, by the path of each navigation property from the record, without casts. */
type ValueLinks = ReadonlyMap<string, readonly LinkText[]>;

/**
 * The links that the complex values of a type have. Full metadata has all of them (JSON format 4.5.11 and 4.6.14); those of
 * streams are written with the streams. Other metadata has none, since clients can construct them.
 */
export function valueLinksOf(type: EntityType, metadata: PayloadFormat['metadata']): ValueLinks | undefined {
  if (metadata !== 'full') return undefined;
  const links = new Map<string, readonly LinkText[]>();
  for (const path of Object.keys(type.navigation)) if (!isDirect(path)) add(links, path);
  return links.size === 0 ? undefined : links;
}

// Of two paths that differ in a cast the first is used: a type has only one of them. Percent-encoded text needs no JSON
// escape.
function add(links: Map<string, readonly LinkText[]>, path: string): void {
  const shown = shownName(path);
  if (links.has(shown)) return;
  const name = shown.slice(shown.lastIndexOf('/') + 1);
  const linkTo = (fact: string, suffix: string): LinkText => [
    `,${JSON.stringify(`${name}@odata.${fact}`)}:"`,
    `/${encodeURIComponent(name)}${suffix}"`,
  ];
  links.set(shown, [linkTo('associationLink', '/$ref'), linkTo('navigationLink', '')]);
}
