import { withNames } from '../../errors/sample-names.js';
import type { ODataError } from '../../errors/odata-error.js';
import { printJson } from '../../json/json.js';
import type { DeltaChange, DeltaOperation } from './plan-delta.js';
import { contentIdOf, idOf } from '../../plan/write/entity-body.js';
import { keyColumns } from '../../plan/options/plan-select.js';
import { entityPath, withinOf } from '../../response/address.js';
import type { LockedRecord } from '../../store/stored-record.js';
import type { Exchange } from '../../http/service.js';
import { emptyResponse, jsonResponse, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson } from '../../protocol/negotiate.js';
import { omissionApplied, preferencesApplied } from '../../protocol/prefer.js';
import { contextOfWritten, showingBody, wantsAnswer } from '../../http/write/write-answer.js';
import type { Addressed } from '../../http/write/kept-read-back.js';

/** The outcome of one change of a delta. */
export type AppliedChange =
  | { readonly kind: 'written'; readonly change: DeltaChange; readonly body?: Buffer }
  | { readonly kind: 'removed'; readonly change: DeltaChange; readonly found: LockedRecord }
  | {
      readonly kind: 'failed';
      readonly change: DeltaChange;
      readonly operation: DeltaOperation;
      readonly refusal: ODataError;
      readonly found?: LockedRecord;
    };

/**
 * The answer to a delta: a delta in the order of the request, which has at least the failures (protocol 11.4.11.1). With
 * the suffix '' the answer to a change of all members: the current members (protocol 11.4.12).
 */
export function deltaAnswer(
  applied: readonly AppliedChange[],
  target: Addressed,
  exchange: Exchange,
  suffix: '/$delta' | '' = '/$delta',
): ODataResponse {
  const { request, options, preferences, service } = exchange;
  const format = negotiateJson(request, options.format);
  const isWanted = wantsAnswer(exchange);
  const shown = applied.filter((one) => one.kind === 'failed' || (isWanted && (one.kind !== 'written' || one.body !== undefined)));
  const words = preferencesApplied([
    preferences.return && `return=${preferences.return}`,
    preferences.continueOnError ? 'continue-on-error=true' : undefined,
    shown.length > 0 ? omissionApplied(preferences) : undefined,
  ]);
  if (!isWanted && shown.length === 0) return emptyResponse(204, format.version, words);
  const entries = shown.map((one) => entryOf(one, nameIn(one.change), target, service.root));
  const context =
    format.metadata === 'none'
      ? ''
      : `"@odata.context":${JSON.stringify(`${contextOfWritten(target, showingBody(exchange, target.type, ...shown.map(({ change }) => change.body)))}${suffix}`)},`;
  return jsonResponse(200, `{${context}"value":[${entries.join(',')}]}`, format, words);
}

function entryOf(applied: AppliedChange, marked: readonly string[], target: Addressed, root: string): string {
  switch (applied.kind) {
    case 'written':
      return String(applied.body ?? '{}');
    case 'removed':
      return `{${[removed, addressOf(applied.found, target, root), ...marked].join(',')}}`;
    case 'failed':
      // A failed addition is a removed entity, a failed removal an existing one (protocol 11.4.11.1).
      return `{${[...(applied.operation === 'insert' ? [removed] : []), ...nameOf(applied, target, root), ...marked, exceptionOf(applied)].join(',')}}`;
  }
}

const removed = '"@odata.removed":{"reason":"deleted"}';

function addressOf({ type, record }: LockedRecord, { address }: Addressed, root: string): string {
  const keys = type.key.map((name) => String(record.get(name)));
  const within = type.contained ? withinOf({ ...(address && { address }) }) : undefined;
  return `"@odata.id":${JSON.stringify(`${root}/${entityPath(type, keyColumns(type), keys, within)}`)}`;
}

// A missing entity has the name from the request.
function nameOf(
  { change: { body }, found }: Extract<AppliedChange, { kind: 'failed' }>,
  target: Addressed,
  root: string,
): readonly string[] {
  if (found) return [addressOf(found, target, root)];
  const id = idOf(body);
  if (id !== undefined) return [`"@odata.id":${JSON.stringify(id)}`];
  return target.type.key.flatMap((name) => {
    const json = body.members.get(name);
    return json === undefined ? [] : [`${JSON.stringify(name)}:${printJson(json)}`];
  });
}

// The answer repeats the request's name of an entity (JSON format 15.7).
function nameIn({ body }: DeltaChange): readonly string[] {
  const contentId = contentIdOf(body);
  return contentId === undefined ? [] : [contentId];
}

const exceptionTerm = 'Org.OData.Core.V1.DataModificationException';

function exceptionOf(change: Extract<AppliedChange, { kind: 'failed' }>): string {
  const {
    operation,
    refusal: { code, message, status, target, details },
  } = change;
  const severity = 'error';
  const info = {
    code,
    message: withNames(message),
    severity,
    ...(target !== undefined && { target }),
    ...(details && { details: details.map((detail) => ({ ...detail, severity })) }),
  };
  return `"@${exceptionTerm}":${JSON.stringify({ failedOperation: operation, responseCode: status, info })}`;
}
