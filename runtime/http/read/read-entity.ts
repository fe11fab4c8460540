import { errors } from '../../errors/catalogue.js';
import { requireShownKey } from '../../plan/caller.js';
import { expandedLimits, expandsFew } from '../../plan/limits.js';
import { missingRecord } from '../../plan/path/mistaken-segments.js';
import type { RecordTarget, Target } from '../../plan/path/path-target.js';
import { planEntity } from '../../plan/read/plan-read.js';
import type { ReadPlan } from '../../plan/read-plan.js';
import type { PlanContext } from '../../plan/scope.js';
import { emptyResponse, jsonResponse, type ODataRequest, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson } from '../../protocol/negotiate.js';
import { conditionsOf, isKnown } from '../../protocol/precondition.js';
import { omissionApplied, preferencesApplied } from '../../protocol/prefer.js';
import type { RecordFormat } from '../../response/record-format.js';
import { entityRenderer, etagOfRow, messagesOf, type RenderEntity, urlOfRow } from '../../response/render-collection.js';
import { recordFormat } from './record-format.js';
import { compileExpandedCount, compileRead } from '../../sql/compile-read.js';
import { compileShown, parentPlace } from '../../sql/compile-target.js';
import type { Connection, RowBytes, Statement } from '../../sql/statement.js';
import { type Exchange, readsView, type Service, withViews } from '../service.js';
import type { Linking } from './links.js';
import { type EntityStatements, type PreparedEntity } from './plan-cache.js';
import { memoized } from '../../edm/memoized.js';

type EntityTarget = Extract<Target, { kind: 'entity' }>;

/** GET of one entity, by key or by single-valued navigation. */
export async function readEntity(target: EntityTarget, exchange: Exchange): Promise<ODataResponse> {
  const entity = prepareEntity(target, exchange);
  refuseAdvised(exchange);
  if (entity.plan.selection.address === undefined && !exchange.context.advice?.length) exchange.keeping?.keep(entity);
  return serveEntity(entity, exchange);
}

/** Strict handling rejects what is else only advised against. */
export function refuseAdvised({ context: { advice = [] }, preferences }: Exchange): void {
  const [first] = advice;
  if (preferences.strict && first) throw first;
}

function prepareEntity(target: EntityTarget, { options, context, service, caller }: Exchange): PreparedEntity {
  const reference = target.suffix === '$ref';
  if (reference) requireShownKey(target.type, caller);
  const plan = planEntity(target, reference ? { ...options, select: [] } : options, context);
  const selected = options.select !== undefined;
  const { container } = service;
  const renderer = (format: RecordFormat): RenderEntity =>
    reference
      ? referenceRenderer(plan, format, service, context.advice)
      : entityRenderer(plan, format, selected, undefined, context.advice);
  const row = oneRow(plan, target);
  const isView = readsView(Object.values(row.statements), container);
  const isCovered = hasFixedAddress(target) && plan.selection.expands.length + plan.selection.computed.length === 0;
  return { kind: 'entity', plan, ...row, isView, isCovered, format: options.format, rendererOf: memoized(renderer) };
}

/** Whether an address always leads to the same record; after single-valued navigation it may be another of the same version. */
export function hasFixedAddress({ parents }: RecordTarget): boolean {
  return parents.every(({ toMany }) => toMany);
}

/** The statements of a single entity: its row, the first entity of the path, whether it must exist, and how it is read. */
type OneRow = Pick<PreparedEntity, 'statements' | 'missing' | 'sharing'>;

/** Compiles the read of a single entity. */
export function oneRow(plan: ReadPlan, target: RecordTarget): OneRow {
  const parent = compileParent(target);
  const { type, key, parents, filter } = target;
  const computes = parents.length + plan.selection.expands.length + plan.selection.computed.length > 0;
  return {
    statements: { ...rowStatements(plan), ...(parent && { parent }) },
    missing: key.length > 0 && !type.nullable ? type : undefined,
    sharing: key.length > 0 && filter === undefined && !computes ? 'shared' : undefined,
  };
}

/** The statement for the row alone. */
export function rowStatements(plan: ReadPlan): EntityStatements {
  const expanded = compileExpanded(plan);
  return { row: compileRead(plan), ...(expanded && { expanded }) };
}

/** Answers with a planned entity. */
export async function serveEntity(read: PreparedEntity, { request, service: own, caller, preferences }: Linking): Promise<ODataResponse> {
  const service = read.isView ? withViews(own, caller) : own;
  const format = negotiateJson(request, read.format);
  const render = read.rendererOf(recordFormat(format, service, preferences));
  const known = knownBy(request, read.isCovered);
  const entity = await readOne(read, { service, request }, (row) => {
    const etag = etagOfRow(read.plan, row);
    return etag !== undefined && known(etag) ? { etag, body: undefined } : render(row);
  });
  if (entity === undefined) return emptyResponse(204, format.version);
  const { etag, body } = entity;
  if (body === undefined) return emptyResponse(304, format.version, { ETag: etag });
  return jsonResponse(200, body, format, {
    ...(etag !== undefined && { ETag: etag }),
    ...preferencesApplied([omissionApplied(preferences)]),
  });
}

/** Whether the client has what the ETag stands for, which is one entity, without expanded or computed data. */
export function knownBy(request: ODataRequest, isCovered: boolean): (etag: string) => boolean {
  const { ifMatch, ifNoneMatch } = conditionsOf(request);
  return (etag) => isKnown({ ifMatch, ifNoneMatch: isCovered ? ifNoneMatch : undefined }, etag);
}

/** Renders the entity; a missing one is 404, or 204 after navigation (protocol 11.2.4). */
export async function readOne<Result>(
  { statements, missing, sharing }: OneRow,
  { service, request }: Pick<Linking, 'service' | 'request'>,
  render: (row: RowBytes) => Result,
): Promise<Result | undefined> {
  return service.store.read(
    async (connection) => {
      const found = await renderFirst(statements, connection, render);
      if (found.length > 0) return found[0];
      if (statements.parent) await requireParent(statements.parent, connection);
      if (missing !== undefined) throw missingRecord(missing, request.path);
      return undefined;
    },
    request.recipient,
    sharing,
  );
}

/** Renders the single row of a statement, if there is one. */
export async function renderFirst<Result>(
  { row: statement, expanded }: EntityStatements,
  connection: Connection,
  render: (row: RowBytes) => Result,
): Promise<readonly Result[]> {
  if (expanded) await requireFewExpanded(expanded, connection);
  const found: Result[] = [];
  await connection.each(statement, (row) => void found.push(render(row)));
  return found;
}

function referenceRenderer(plan: ReadPlan, { metadata }: RecordFormat, { root }: Service, advice: PlanContext['advice']): RenderEntity {
  const context = metadata === 'none' ? '' : `"@odata.context":${JSON.stringify(`${root}/$metadata#$ref`)}${messagesOf(advice)},`;
  return (row) => {
    const url = urlOfRow(plan, row, root);
    return { body: Buffer.from(`{${context}"@odata.id":${JSON.stringify(url)}}`), etag: etagOfRow(plan, row) };
  };
}

/** An empty answer beneath a record that does not exist is 404, and not an empty collection. */
export async function requireParent(statement: Statement, connection: Connection): Promise<void> {
  if ((await connection.run(statement)).length === 0) throw errors.notFound('record with that key');
}

/** The statement that looks for the record which the path begins with, where the path goes on beyond one. */
export function compileParent(target: RecordTarget): Statement | undefined {
  return target.parents.length === 0 ? undefined : compileShown(parentPlace(target), ['#id']);
}

/** The statement that counts the expanded entities of a read; undefined where limits of single collections suffice. */
export function compileExpanded(read: ReadPlan): Statement | undefined {
  if (expandsFew(read)) return undefined;
  if (read.sets) throw tooMany(`too many records in one response: the limit is ${expandedLimits.records}`, '$top');
  return compileExpandedCount(read, expandedLimits.records);
}

/** Rejects a page with too many expanded entities in total, before the first is read: limits of nested collections multiply. */
export async function requireFewExpanded(statement: Statement, connection: Connection): Promise<void> {
  const [row] = await connection.run(statement);
  const [records = 0, values = 0] = (row ?? []).map(Number);
  if (records > expandedLimits.records) throw tooMany(`more than ${expandedLimits.records} records in one response`, '$top or $filter');
  if (values > expandedLimits.values)
    throw tooMany(
      `${records} records with ${values} values in one response, where the limit is ${expandedLimits.values}`,
      '$select, $top or $filter',
    );
}

function tooMany(what: string, options: string): Error {
  return errors.limitExceeded(`$expand results in ${what}; write ${options} within $expand, or request a smaller page.`).at('$expand');
}
