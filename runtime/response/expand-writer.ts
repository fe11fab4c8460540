import type { ExpandPage, ExpandPlan } from '../plan/read-plan.js';
import { expandOrderCells } from '../sql/record-cells.js';
import { encodePath } from './address.js';
import type { ByteWriter } from './byte-writer.js';
import { appliedProjection, contextPath } from './context-url.js';
import { isEndAt, isFalseAt, isNullAt, skipSeparators } from './json-cells.js';
import { nestedRecord, type NestedRecord } from './nested-record.js';
import type { LinkOf, RecordFormat } from './record-writer.js';

/** The address of the current entity, relative to the service root. */
type Address = () => string;

/** Writes an expansion from the JSON text at `at`, and returns the offset after it. */
export type ExpandWriter = (out: ByteWriter, source: Buffer, at: number, owner: Address) => number;

/** An expansion as members of its record: the count where it was asked for, then the records, then the link to further ones. */
export function expandWriter(expand: ExpandPlan, format: RecordFormat): ExpandWriter {
  const write = shownWriter(expand, format);
  return expand.existsWhere === undefined ? write : unlessFalse(write);
}

// An absent expansion is `false`.
function unlessFalse(write: ExpandWriter): ExpandWriter {
  return (out, source, at, owner) => (isFalseAt(source, at) ? at + 5 : write(out, source, at, owner));
}

function shownWriter(expand: ExpandPlan, format: RecordFormat): ExpandWriter {
  if (expand.form === 'count') return number(countName(expand), format);
  const { addresses: _, ...inner } = format;
  const record = nestedRecord(expand, inner, expandWriter);
  const name = `${collectionContext(expand, format)},${JSON.stringify(expand.name)}:`;
  if (!expand.collection) return single(name, record);
  const many =
    expand.page === undefined ? array(name, record) : pageWriter(name, record, { expand, page: expand.page, linkOf: format.linkOf });
  return expand.count ? counted(number(countName(expand), format), many) : many;
}

/** The text of an expansion without a target: the cell is null. */
export function emptyExpansion(expand: ExpandPlan, format: RecordFormat): string {
  return `${collectionContext(expand, format)},${JSON.stringify(expand.name)}:${expand.collection ? '[]' : 'null'}`;
}

// An undeclared property has a context URL (JSON format 4.6.1).
function collectionContext(expand: ExpandPlan, { metadata }: RecordFormat): string {
  const { name, source, collection, selection } = expand;
  if (source === undefined || !collection || metadata === 'none') return '';
  return `,${JSON.stringify(`${name}@odata.context`)}:${JSON.stringify(`#${contextPath(selection)}${appliedProjection(expand)}`)}`;
}

function countName({ name }: ExpandPlan): string {
  return `,${JSON.stringify(`${name}@odata.count`)}:`;
}

function single(name: string, record: NestedRecord): ExpandWriter {
  return (out, source, at, owner) => {
    out.text(name);
    if (!isNullAt(source, at)) return record.write(out, source, at, owner);
    out.text('null');
    return at + 4;
  };
}

function array(name: string, record: NestedRecord): ExpandWriter {
  const begin = Buffer.from(`${name}[`, 'utf8');
  return (out, source, from, owner) =>
    writeArray(out, source, from, begin, (at, index) => {
      if (index > 0) out.byte(0x2c);
      return record.write(out, source, at, owner);
    });
}

interface PagedExpansion {
  readonly expand: ExpandPlan;
  readonly page: ExpandPage;
  readonly linkOf: LinkOf;
}

// The row beyond the page only implies a next link, so its text is discarded.
function pageWriter(name: string, record: NestedRecord, { expand, page, linkOf }: PagedExpansion): ExpandWriter {
  const last = expandOrderCells(expand).cells;
  const suffix = expand.form === 'references' ? '/$ref' : '';
  const begin = Buffer.from(`${name}[`, 'utf8');
  return (out, source, from, owner) => {
    let after: readonly (string | null)[] = [];
    let link: string | undefined;
    const end = writeArray(out, source, from, begin, (at, index) => {
      const { length } = out;
      if (index > 0) out.byte(0x2c);
      const behind = record.write(out, source, at, owner);
      if (index === page.size - 1) after = last.map((cell) => record.text(source, cell));
      if (index < page.size) return behind;
      out.length = length;
      link = linkOf(`${owner()}/${encodePath(expand.path ?? expand.source ?? expand.name)}${suffix}`, page.options, after);
      return behind;
    });
    if (link !== undefined) out.text(`,${JSON.stringify(`${expand.name}@odata.nextLink`)}:${JSON.stringify(link)}`);
    return end;
  };
}

type ItemWriter = (at: number, index: number) => number;

// `begin` is the text before the first item.
function writeArray(out: ByteWriter, source: Buffer, from: number, begin: Buffer, writeItem: ItemWriter): number {
  out.copy(begin, 0, begin.length);
  if (isNullAt(source, from)) {
    out.byte(0x5d);
    return from + 4;
  }
  let at = skipSeparators(source, from + 1);
  for (let index = 0; !isEndAt(source, at); index++) at = skipSeparators(source, writeItem(at, index));
  out.byte(0x5d);
  return at + 1;
}

function number(name: string, { ieee754Compatible }: RecordFormat): ExpandWriter {
  const quote = ieee754Compatible ? '"' : '';
  return (out, source, start) => {
    let end = start;
    while ((source[end] ?? 0) >= 0x30 && (source[end] ?? 0) <= 0x39) end++;
    out.text(name + quote);
    out.copy(source, start, end);
    out.text(quote);
    return end;
  };
}

// `[count, records]`, as compileExpand builds it.
function counted(count: ExpandWriter, many: ExpandWriter): ExpandWriter {
  return (out, source, from, owner) => {
    const behind = count(out, source, skipSeparators(source, from + 1), owner);
    return skipSeparators(source, many(out, source, skipSeparators(source, behind), owner)) + 1;
  };
}
