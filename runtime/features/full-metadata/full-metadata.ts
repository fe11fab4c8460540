import type { CellOrigin } from '../../response/cell.js';
import { responseHooks, type LinkedValue } from '../../response/hooks.js';
import type { AdvertisedOperation, MembersWriter, RecordFormat, Cells } from '../../response/record-format.js';
import { addressOf, operationsOf } from '../../response/record-format.js';
import { castOf } from '../../response/address.js';
import type { Selection, SelectedColumn } from '../../plan/read-plan.js';
import { type EntityType, isDirect } from '../../edm/index.js';
import { shownName } from '../../plan/shown-path.js';
import type { ByteWriter } from '../../response/byte-writer.js';
import { scanMembers, type Span } from '../../response/scan-json.js';
import { lastName } from '../../edm/lookup.js';

/** Registers the links of full metadata. */
export function registerFullMetadata(): void {
  responseHooks.register({ fullLinks: { steps: linkSteps, ofValues: valueLinksWriter, ofValue: linkValue } });
}

function linkSteps(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly MembersWriter[] {
  return [
    ...(selection.links ?? []).map((name) => linkStep(name, selection, format, origin)),
    ...operationsOf(selection, format).map((operation) => operationStep(operation, selection, format, origin)),
  ];
}

// JSON format 4.5.11: the addresses of the related records and of their references.
function linkStep(name: string, selection: Selection, { root }: RecordFormat, origin: CellOrigin): MembersWriter {
  const members = (['associationLink', 'navigationLink'] as const).map((kind) => `,${JSON.stringify(`${name}@odata.${kind}`)}:`);
  return (out, cells) => {
    const url = `${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${name}`;
    out.text(`${members[0]}${JSON.stringify(`${url}/$ref`)}${members[1]}${JSON.stringify(url)}`);
  };
}

function operationStep(operation: AdvertisedOperation, selection: Selection, { root }: RecordFormat, origin: CellOrigin): MembersWriter {
  const { name, title, target } = operation;
  const before = `,${JSON.stringify(`#${name}`)}:{"title":${JSON.stringify(title)},"target":`;
  return (out, cells) =>
    out.text(`${before}${JSON.stringify(`${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${target}`)}}`);
}

/** A value that was written, with the links of its record's type. */
interface WrittenValue extends Omit<LinkedValue, 'type'> {
  readonly links: ValueLinks;
  readonly span: Span;
}

/** Prepares the links of complex values, each beneath the address of its value; nothing where there are none to write. */
function valueLinksWriter(
  selection: Selection,
  { root }: RecordFormat,
  origin: CellOrigin,
): ((out: ByteWriter, from: number, cells: Cells) => void) | undefined {
  const { type, declared = type } = selection;
  if (declared.transient) return undefined;
  const links = valueLinksOf(type);
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

/** Adds the links of a value that is alone in the output. */
function linkValue(out: ByteWriter, { type, ...value }: LinkedValue): void {
  const links = valueLinksOf(type);
  if (links === undefined) return;
  const source = Buffer.from(out.finished());
  insert(out, 0, source, linksWithin(source, { ...value, links, span: { start: 0, end: source.length } }));
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
  const stated = members.get('@odata.type');
  const name = stated ? source.toString('utf8', stated.start + 2, stated.end - 1) : '';
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
  return links.map(([before, after]) => before + address + after).join('');
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

// JSON format 4.5.11; those of streams are written with the streams.
function valueLinksOf(type: EntityType): ValueLinks | undefined {
  const links = new Map<string, readonly LinkText[]>();
  for (const path of Object.keys(type.navigation)) if (!isDirect(path)) add(links, path);
  return links.size === 0 ? undefined : links;
}

// Of two paths that differ in a cast the first is used: a type has only one of them. Percent-encoded text needs no JSON escape.
function add(links: Map<string, readonly LinkText[]>, path: string): void {
  const shown = shownName(path);
  if (links.has(shown)) return;
  const name = lastName(shown);
  const linkTo = (fact: string, suffix: string): LinkText => [
    `,${JSON.stringify(`${name}@odata.${fact}`)}:"`,
    `/${encodeURIComponent(name)}${suffix}"`,
  ];
  links.set(shown, [linkTo('associationLink', '/$ref'), linkTo('navigationLink', '')]);
}
