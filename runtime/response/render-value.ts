import { enumText, primitives, type EntityContainer, type Field, type RecordType } from '../edm/index.js';
import { isArray, isNumber, type Json } from '../json/json.js';
import { printJson } from '../json/print-json.js';
import { wholeShape } from '../plan/complex-shape.js';
import { ByteWriter } from './byte-writer.js';
import { complexWriter } from './complex-cell.js';
import type { RecordFormat } from './record-writer.js';
import { typeAnnotation } from './type-annotation.js';

/** What a value is written with. */
export interface ValueFrame {
  readonly format: RecordFormat;
  readonly container: EntityContainer;
  /** What stands behind the number sign of the context URL. */
  readonly path: string;
  /** How many values there are, where that is asked for. */
  readonly count?: number;
}

/** The JSON of a value that is no stored property (JSON format 11 and 18): a value, a collection, or the members of a complex value. */
export function renderValue(json: Json, field: Field, { format, container, path, count }: ValueFrame): string {
  const text = valueText(json, field, format, container);
  const context = contextMember(format, path);
  if (field.complex !== undefined && !field.collection) return withContext(context, text);
  const type = format.metadata === 'full' ? typeAnnotation('', field) : undefined;
  return `{${[...(context === '' ? [] : [context]), ...countMember(count, format), ...(type === undefined ? [] : [type]), `"value":${text}`].join(',')}}`;
}

/** The name of a value's type in a context URL (protocol 10.14 to 10.17). */
export function valuePath({ type, complex, enumeration, definition, collection }: Field): string {
  const name = complex ?? enumeration?.qualifiedName ?? definition ?? type;
  return collection ? `Collection(${name})` : name;
}

/** A single value as plain text. */
export function plainOf({ enumeration }: Field, json: Json): string {
  if (isNumber(json)) return enumeration ? enumText(enumeration, json.text) : json.text;
  return typeof json === 'string' ? json : printJson(json);
}

/** A record that a handler made: one of a derived type says so. */
export interface MadeRecord {
  readonly type: RecordType;
  readonly said: boolean;
  readonly members: ReadonlyMap<string, Json>;
}

/** Records that are in no set: each is transient, and has no address (JSON format 4.5.8). */
export function renderMadeRecords(records: readonly MadeRecord[], type: RecordType, { format, container, collection, count }: Omit<ValueFrame, 'path'> & { readonly collection: boolean }): string {
  const context = contextMember(format, collection ? `Collection(${type.qualifiedName})` : type.qualifiedName);
  const texts = records.map((record) => recordText(record, format, container));
  if (!collection) return withContext(context, texts[0] ?? '{}');
  return `{${[...(context === '' ? [] : [context]), ...countMember(count, format), `"value":[${texts.join(',')}]`].join(',')}}`;
}

function recordText({ type, said, members: given }: MadeRecord, format: RecordFormat, container: EntityContainer): string {
  const full = format.metadata === 'full' || (said && format.metadata !== 'none') ? [`"@odata.type":"#${type.qualifiedName}"`] : [];
  const address = format.metadata === 'none' ? [] : ['"@odata.id":null'];
  const members = [...given].flatMap(([name, json]) => {
    const field = type.fields[name];
    return field === undefined ? [] : [`${JSON.stringify(name)}:${valueText(json, field, format, container)}`];
  });
  return `{${[...full, ...address, ...members].join(',')}}`;
}

function countMember(count: number | undefined, { ieee754Compatible }: RecordFormat): readonly string[] {
  return count === undefined ? [] : [`"@odata.count":${ieee754Compatible ? `"${count}"` : count}`];
}

function contextMember({ metadata, root }: RecordFormat, path: string): string {
  return metadata === 'none' ? '' : `"@odata.context":${JSON.stringify(`${root}/$metadata#${path}`)}`;
}

function withContext(context: string, object: string): string {
  if (context === '') return object;
  return object === '{}' ? `{${context}}` : `{${context},${object.slice(1)}`;
}

function valueText(json: Json, field: Field, format: RecordFormat, container: EntityContainer): string {
  if (json === null) return 'null';
  if (field.complex !== undefined) return complexText(json, field, format, container);
  const { collection, ...single } = field;
  if (collection && isArray(json)) return `[${json.items.map((item) => valueText(item, single, format, container)).join(',')}]`;
  if (!isNumber(json)) return printJson(json);
  if (field.enumeration) return JSON.stringify(enumText(field.enumeration, json.text));
  return primitives[field.type].cell === 'bigNumber' && format.ieee754Compatible ? `"${json.text}"` : json.text;
}

function complexText(json: Json, field: Field, format: RecordFormat, container: EntityContainer): string {
  const out = new ByteWriter(1024);
  const bytes = Buffer.from(printJson(json), 'utf8');
  complexWriter({ shape: wholeShape(container, field), field, format, origin: 'column' })(out, bytes, 0, bytes.length);
  return out.finished().toString('utf8');
}
