import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { columnOf, type EntityContainer, type EntityType, type Field, own } from '../../../edm/index.js';
import { quote } from '../../../schema/identifier.js';
import { type Cell, type Row, seedColumns, type SeedType, SeedError } from './columns.js';

/** A table to fill with COPY. */
export interface CopyTarget<Type extends SeedType> {
  /** The COPY statement, with ordered columns. */
  readonly text: string;
  /** One line of input. `parent` is the `#id` of the listing, for dependent tables. */
  readonly line: (id: number, row: Row<Type>, parent?: number) => string;
}

/** All tables to fill. */
export type CopyTargets = { readonly [Type in SeedType]: CopyTarget<Type> };

/** The tables of the model for the sample data; reports all mismatches together. */
export function copyTargets(container: EntityContainer): CopyTargets {
  const names = Object.keys(seedColumns) as SeedType[];
  const faults = names.flatMap((name) => faultsOf(container, name));
  if (faults.length > 0)
    throw new SeedError(`The sample data does not match the model:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  // Every key of the table is present, which Object.fromEntries cannot express.
  return Object.fromEntries(names.map((name) => [name, targetOf(container, name)])) as unknown as CopyTargets;
}

function faultsOf(container: EntityContainer, name: SeedType): readonly string[] {
  const type = own(container.entityTypes, name);
  if (type === undefined) return [`The model has no entity type ${name}.`];
  const known: readonly string[] = seedColumns[name];
  const missing = known.filter((property) => own(type.fields, property) === undefined);
  const required = unknownFields(type, known).filter(
    ([property, field]) => filling(type, property, field) === null && field.nullable !== true,
  );
  return [
    ...missing.map(
      (property) => `${name} no longer has the property ${property}; remove it from runtime/extensions/listing/samples/columns.ts.`,
    ),
    ...required.map(
      ([property]) =>
        `${name} has a required property ${property} that the sample data does not know; add it to runtime/extensions/listing/samples/columns.ts.`,
    ),
  ];
}

function targetOf<Type extends SeedType>(container: EntityContainer, name: Type): CopyTarget<Type> {
  const type = container.entityTypes[name] as EntityType;
  const known: readonly string[] = seedColumns[name];
  const rest = unknownFields(type, known);
  const link = linkColumn(type);
  const columns = [
    '#id',
    ...(link === undefined ? [] : [link]),
    ...[...known, ...rest.map(([property]) => property)].map((property) => columnOf(type, property)),
  ];
  const end = rest.map(([property, field]) => `\t${copyCell(filling(type, property, field))}`).join('');
  return {
    text: `copy ${quote(type.table)} (${columns.map(quote).join(', ')}) from stdin`,
    line: (id, row, parent) => {
      const values: Row<Type> & { readonly [name: string]: Row<Type>[keyof Row<Type>] } = row;
      let line = link === undefined ? String(id) : `${id}\t${parent ?? '\\N'}`;
      for (const property of known) line += `\t${copyCell(values[property] ?? null)}`;
      return `${line}${end}\n`;
    },
  };
}

// Properties added to the model since: rows get the values that the service would set.
function unknownFields(type: EntityType, known: readonly string[]): readonly (readonly [string, Field])[] {
  return Object.entries(type.fields).filter(([name]) => !known.includes(name));
}

function filling(type: EntityType, property: string, field: Field): string | readonly string[] | null {
  const generated = own(type.rules.onInsert, property);
  if (generated?.kind === 'constant') return generated.value;
  return field.default ?? (field.collection ? [] : null);
}

function linkColumn(type: EntityType): string | undefined {
  const join = own(type.navigation, 'Property')?.join ?? {};
  return Object.keys(join).find((column) => column.startsWith('#') && join[column] === '#id');
}

const escapes: { readonly [character: string]: string } = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value in COPY's text format, with tabs and line ends escaped and `\N` for null. */
export function copyCell(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  if (typeof cell === 'number') return String(cell);
  const text = typeof cell === 'string' ? cell : arrayLiteral(cell);
  return /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character) : text;
}

/** An array literal; every element is quoted, so that none is read as NULL or ends early. */
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The part of the database driver's client that COPY uses: it returns the stream it is given. */
export interface CopyClient {
  readonly query: (query: object) => unknown;
}

/** Sends lines to a COPY statement at the database's pace. */
export async function copyLines(client: CopyClient, text: string, lines: Iterable<string>): Promise<void> {
  const stream = copyFrom(text);
  client.query(stream);
  await pipeline(Readable.from(chunks(lines), { objectMode: false }), stream);
}

// One message per line would cost more than the line.
function* chunks(lines: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < 65_536) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}
