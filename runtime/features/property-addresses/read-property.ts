import { errors } from '../../errors/catalogue.js';
import { accessTo, type Caller, hiddenKey, isHidden, requireReadable, rootOf } from '../../plan/caller.js';
import type { PropertyTarget } from '../../plan/path/path-target.js';
import { placeOfItem, withPlaces } from './plan/item-step.js';
import { planProperty, type PropertyPlan, valuePath } from './plan/plan-property.js';
import { createAliases, type PlanContext } from '../../plan/scope.js';
import { shownName } from '../../plan/shown-path.js';
import { castOf, entityPath, withinOf } from '../../response/address.js';
import { cellsOf } from '../../sql/record-cells.js';
import { etagOfRow, messagesOf } from '../../response/render-collection.js';
import type { RecordFormat } from '../../response/record-format.js';
import { cellText, type RowBytes } from '../../sql/statement.js';
import type { Exchange } from '../../http/service.js';
import { emptyResponse, jsonResponse, type ODataResponse, textResponse } from '../../protocol/message.js';
import { negotiateJson, requireMediaAccepted } from '../../protocol/negotiate.js';
import { rawMediaType, rawResponse } from './raw-value.js';
import { omissionApplied, preferencesApplied } from '../../protocol/prefer.js';
import { hasFixedAddress, knownBy, oneRow, readOne, refuseAdvised } from '../../http/read/read-entity.js';
import { recordFormat } from '../../http/read/record-format.js';
import type { SelectedColumn, Selection } from '../../plan/read-plan.js';
import { ByteWriter } from '../../response/byte-writer.js';
import { contextOf } from '../../response/context-url.js';
import { writeValue } from '../../response/dynamic-members.js';
import { columnWriter } from '../../response/column-members.js';
import { moveInside } from '../../response/move-inside.js';
import { typeAnnotation } from '../../response/payload-format.js';
import { type LinkedValue, responseHooks } from '../../response/hooks.js';

/** GET of one property: its JSON, its `/$value`, or the `/$count` of a collection. */
export async function readProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  const { request, options, version, context } = exchange;
  requireVisible(target, exchange);
  const format = target.suffix === '' ? negotiateJson(request, options.format) : undefined;
  if (format === undefined)
    requireMediaAccepted(request, options.format, target.suffix === '$count' ? 'text/plain' : rawMediaType(target.field));
  const plan = planProperty(target, options, context);
  refuseAdvised(exchange);
  const record = format && recordFormat(format, exchange.service, exchange.preferences);
  const found = await readCells(plan, target, exchange, record);
  if (found === undefined) return emptyResponse(204, version);
  const places = (target.items ?? []).map((step, index) => placeOfItem(step, found.counts[index] ?? 0));
  // The ETag of a property is that of its record.
  const headers = found.etag === undefined ? {} : { ETag: found.etag };
  if (found.etag !== undefined && knownBy(request, hasFixedAddress(target))(found.etag)) return emptyResponse(304, version, headers);
  if (found.cell === null) return emptyResponse(204, version, headers);
  if (target.suffix === '$count') return textResponse(found.cell, version, headers);
  if (format === undefined || record === undefined) return rawResponse(target.field, found.cell, version, headers);
  const address = `${found.path}${castOf(target.type)}/${withPlaces(plan.path, places)}`;
  const frame = {
    format: record,
    advice: context.advice,
    inside: found.inside,
    place: isAddressed(target, exchange) ? placeOfLinks(target, address, record) : undefined,
    path: `${isAddressed(target, exchange) ? address : withPlaces(plan.path, places)}${plan.chosen.length === 0 ? '' : `(${plan.chosen.join(',')})`}`,
    ...(found.second !== null && { [target.dynamic ? 'valueType' : 'count']: found.second }),
  };
  return jsonResponse(200, renderProperty(plan.column, found.cell, frame), format, {
    ...headers,
    ...preferencesApplied([omissionOf(target, exchange)]),
  });
}

// A caller who may not read the key of a record learns its address only from the path of the request.
function isAddressed({ type, key }: PropertyTarget, { caller }: Exchange): boolean {
  return !type.transient && (key.length > 0 || hiddenKey(type, caller) === undefined);
}

// In full metadata a single value has links, but none within an item.
function placeOfLinks({ type, name, items }: PropertyTarget, address: string, { root, metadata }: RecordFormat): PropertyFrame['place'] {
  return metadata !== 'full' || items ? undefined : { type, path: shownName(name), address: `${root}/${address}` };
}

/** The words for an omission of values, which only a complex value can have. */
export function omissionOf({ field }: PropertyTarget, { preferences }: Exchange): string | undefined {
  return field.type === 'Edm.ComplexType' ? omissionApplied(preferences) : undefined;
}

interface PropertyCells {
  readonly cell: string | null;
  /** The number of items, or the stored type of a dynamic property. */
  readonly second: string | null;
  readonly etag: string | undefined;
  readonly path: string;
  readonly inside: readonly ShownInside[];
  /** The number of items of each collection that the path indexes. */
  readonly counts: readonly number[];
}

// Reads the value, followed by its facts.
function readCells(
  { read }: PropertyPlan,
  target: PropertyTarget,
  exchange: Exchange,
  format: RecordFormat | undefined,
): Promise<PropertyCells | undefined> {
  const { selection } = read;
  const first = cellsOf(selection).firstColumn;
  const { length } = valuePath(target);
  const { items = [] } = target;
  const shown = selection.computed.length - items.length;
  const { keyColumns } = selection;
  const texts = (row: RowBytes): readonly (string | null)[] => keyColumns.map((_, index) => cellText(row, index));
  return readOne(oneRow(read, target), exchange, (row) => ({
    cell: cellText(row, first),
    second: shown > 1 ? cellText(row, first + 1) : null,
    etag: etagOfRow(read, row),
    path: entityPath(target.type, keyColumns, texts(row), withinOf(selection)),
    counts: items.map((_, index) => Number(cellText(row, first + shown + index) ?? 0)),
    inside: format && length > 0 ? shownInside(selection, format, row, length) : [],
  }));
}

/** Rejects a property that is hidden from the caller. */
export function requireVisible(target: PropertyTarget, { caller }: Exchange): void {
  requireReadable(target.type, caller);
  const hidden = hiddenProperty(target, caller);
  if (hidden !== undefined) throw errors.notPermitted(hidden).at(hidden);
}

function hiddenProperty({ type, name }: PropertyTarget, caller: Caller): string | undefined {
  return isHidden(type, name, caller) ? rootOf(name) : undefined;
}

/** Whether the caller may read the property after writing it; invalid options are rejected before anything is stored. */
export function isShownAfterWrite(target: PropertyTarget, { caller, options, context }: Exchange): boolean {
  if (!accessTo(target.type, 'read', caller).allowed || hiddenProperty(target, caller) !== undefined) return false;
  planProperty(target, options, { ...context, aliases: createAliases() });
  return true;
}

interface PropertyFrame {
  readonly format: RecordFormat;
  readonly advice: PlanContext['advice'];
  /** The property's address beneath the service root. */
  readonly path: string;
  /** Of a collection, where it was asked for. */
  readonly count?: string;
  /** The stored type of a dynamic property's value, as JSON. */
  readonly valueType?: string;
  /** Additional members of a complex value. */
  readonly inside?: readonly ShownInside[];
  /** Where a single complex value is, for links in it. */
  readonly place?: Omit<LinkedValue, 'shape'> | undefined;
}

/** Members of a complex value, each with a comma in front, and the path to the value. */
interface ShownInside {
  readonly within: readonly string[];
  readonly text: string;
}

/** The additional members within a complex value: annotations of its streams. */
function shownInside(selection: Selection, format: RecordFormat, row: RowBytes, depth: number): readonly ShownInside[] {
  const inside = selection.streams ? responseHooks.get('streamMembers').within(selection, format, 'column') : [];
  return inside.map(({ within, write }) => {
    const out = new ByteWriter(Buffer.allocUnsafe(256));
    write(out, row);
    return { within: within.slice(depth), text: out.finished().toString('utf8') };
  });
}

// The stored type of a dynamic value; for others the model's type, in full metadata (JSON format 4.6.3).
function typeOf(field: SelectedColumn['field'], { metadata }: RecordFormat, valueType: string | undefined): readonly string[] {
  if (metadata === 'none') return [];
  const type = metadata === 'full' ? typeAnnotation('', field) : undefined;
  return valueType !== undefined ? [`"@odata.type":${valueType}`] : type === undefined ? [] : [type];
}

/** The JSON of a single property (JSON format 11): a value, a collection, or the members of a complex value. */
function renderProperty(column: SelectedColumn, cell: string, frame: PropertyFrame): Buffer {
  const { format, path, count, valueType, inside = [], place, advice } = frame;
  const out = new ByteWriter(Buffer.allocUnsafe(1024));
  const context =
    format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(contextOf(format.root, path))}${messagesOf(advice)}`];
  const before = [
    ...context,
    ...(count === undefined ? [] : [`"@odata.count":${format.ieee754Compatible ? `"${count}"` : count}`]),
    ...typeOf(column.field, format, valueType),
  ].join(',');
  const bytes = Buffer.from(cell, 'utf8');
  const isDynamic = column.shape === undefined && column.field.type === 'Edm.ComplexType';
  const isObject = isDynamic ? cell.startsWith('{') : column.shape !== undefined && !column.field.collection;
  out.text(isObject ? '' : '"value":');
  if (isDynamic) writeValue(out, bytes, { start: 0, end: bytes.length }, format);
  else columnWriter(column, format, 'column')(out, bytes, 0, bytes.length);
  if (isObject && inside.length > 0) showInside(out, inside);
  if (place && column.shape && isObject) responseHooks.get('fullLinks').ofValue(out, { ...place, shape: column.shape });
  const value = out.finished().toString('utf8');
  if (value.startsWith('"value"')) return Buffer.from(`{${before}${before === '' ? '' : ','}${value}}`);
  return Buffer.from(before === '' ? value : `{${before}${value === '{}' ? '' : ','}${value.slice(1)}`);
}

// The value's own brace is written once more.
function showInside(out: ByteWriter, inside: readonly ShownInside[]): void {
  out.length -= 1;
  for (const { within, text } of inside) {
    const at = out.length;
    out.text(at === 1 ? text.slice(1) : text);
    if (within.length > 0) moveInside(out, { from: 1, at }, within);
  }
  out.text('}');
}
