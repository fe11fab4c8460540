import { errors } from '../errors/catalogue.js';
import { accessTo } from '../plan/caller.js';
import type { Target } from '../plan/plan-path.js';
import { planEntity } from '../plan/plan-read.js';
import type { ReadPlan } from '../plan/read-plan.js';
import { entityPath } from '../response/address.js';
import { plainText } from '../response/plain-text.js';
import { firstColumn } from '../response/record-writer.js';
import { etagOfRow } from '../response/render-entity.js';
import { renderProperty } from '../response/render-property.js';
import { parseArrayLiteral } from '../store/array-literal.js';
import { cellText } from '../sql/statement.js';
import type { Exchange } from './exchange.js';
import type { ODataResponse } from './message.js';
import { negotiateJson, requirePlainText } from './negotiate.js';
import { conditionsOf, isKnown } from './precondition.js';
import { readOne } from './read-entity.js';
import { recordFormat } from './record-format.js';
import { emptyResponse, jsonResponse, textResponse } from './responses.js';

type PropertyTarget = Extract<Target, { kind: 'property' }>;

/** GET of one property: its JSON, its `/$value`, or the `/$count` of a collection. */
export async function readProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  const { request, options, version } = exchange;
  requireVisible(target, exchange);
  const format = target.suffix === '' ? negotiateJson(request, options.format) : undefined;
  if (format === undefined) requirePlainText(request, options.format);
  const plan = planProperty(target, exchange);
  const found = await readOne(plan, target, exchange, (row) => ({
    cell: cellText(row, firstColumn(plan.selection)),
    etag: etagOfRow(plan, row),
    path: entityPath(target.type, plan.selection.keyColumns, plan.selection.keyColumns.map((_, index) => cellText(row, index))),
  }));
  if (found === undefined) return emptyResponse(204, version);
  // The ETag of a property is that of its record.
  const headers = found.etag === undefined ? {} : { ETag: found.etag };
  if (found.etag !== undefined && isKnown(conditionsOf(request), found.etag)) return emptyResponse(304, version, headers);
  if (found.cell === null) return emptyResponse(204, version, headers);
  if (format === undefined) return textResponse(rawValue(target, found.cell), version, headers);
  return jsonResponse(200, renderProperty(target.field, found.cell, recordFormat(format, exchange), `${found.path}/${target.name}`), format, headers);
}

function planProperty(target: PropertyTarget, { context, options }: Exchange): ReadPlan {
  const select = [{ kind: 'member' as const, at: 0, path: [{ name: target.name, at: 0 }] }];
  const { format: _, ...others } = options;
  return planEntity(target, { ...others, select }, context);
}

function requireVisible({ type, name }: PropertyTarget, { caller }: Exchange): void {
  const access = accessTo(type, 'read', caller);
  if (access.allowed && access.restricted.has(name)) throw errors.notPermitted(name).at(name);
}

function rawValue({ field, suffix }: PropertyTarget, cell: string): string {
  return suffix === '$count' ? String(parseArrayLiteral(cell).length) : plainText(field, cell);
}
