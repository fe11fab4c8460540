import { recordTypeNamed, type OperationValue, type RecordType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { isObject, type Json } from '../../json/json.js';
import { jsonOf, planField } from '../../plan/handler-value.js';
import { recordValueType } from '../../plan/record-value-type.js';
import { renderMadeRecords, type MadeRecord } from '../../response/render-value.js';
import type { CalledOperation } from './answer-call.js';
import { chooseMade, refuseChoice, selectedMade } from './choose-made.js';
import type { Exchange } from '../exchange.js';
import type { ODataResponse } from '../../protocol/message.js';
import { negotiateJson, requirePlainText } from '../../protocol/negotiate.js';
import { recordFormat } from '../read/record-format.js';
import { jsonResponse, textResponse } from '../../protocol/responses.js';

/** Records that a handler made and that are in no set: written as they are, since there is nothing to choose from. */
export function answerMadeRecords({ call: { operation }, target }: CalledOperation, { type: name, collection }: OperationValue, answer: { readonly value?: object; readonly values?: readonly object[] }, exchange: Exchange): ODataResponse {
  const { service, options, request, preferences } = exchange;
  const type = recordTypeNamed(service.container, name);
  const made = collection ? answer.values : answer.value && [answer.value];
  if (type === undefined || made === undefined) throw new Error(`The handler ${operation.handler} answered with neither records of a set nor ${collection ? '{ values }' : '{ value }'}.`);
  const [next] = target.rest;
  const isCount = collection && next?.name === '$count' && target.rest.length === 1;
  if ((next && !isCount) || target.part.resultKey) throw errors.notImplemented(`/${next?.name ?? '(...)'} behind records that ${operation.name} makes`).at(next?.name ?? operation.name);
  refuseChoice(options, operation.name, collection ?? false);
  if (isCount) return countResponse(made.length, exchange);
  const selected = selectedMade(options, type, operation.name);
  const { values, count } = chooseMade(made, options);
  const format = recordFormat(negotiateJson(request, options.format), service, preferences);
  const records = values.map((one, index) => madeRecord(type, one, `answer[${index}]`, operation.handler, exchange));
  const shown = selected ? records.map((record) => ({ ...record, members: new Map([...record.members].filter(([name]) => selected.has(name))) })) : records;
  return jsonResponse(200, renderMadeRecords(shown, type, { format, container: service.container, collection: collection ?? false, ...(count !== undefined && { count }) }), format);
}

function countResponse(count: number, { request, options, version }: Exchange): ODataResponse {
  requirePlainText(request, options.format);
  return textResponse(String(count), version);
}

function madeRecord(declared: RecordType, value: object, path: string, handler: string, { service: { container } }: Exchange): MadeRecord {
  const json = jsonOf(value);
  const sent = isObject(json) ? json : { kind: 'object' as const, members: new Map<string, Json>() };
  const named = recordValueType(path, declared, sent, container);
  if ('fault' in named) throw new Error(`The handler ${handler} answered with what no ${declared.name} can be: ${named.fault.message}`);
  const { type, said } = named;
  const context = { container, format: { ieee754Compatible: true }, partial: false };
  const planned = Object.entries(type.fields).flatMap(([name, field]) => (sent.members.has(name) ? [{ name, ...planField(`${path}/${name}`, field, sent.members.get(name) ?? null, context) }] : []));
  const faults = planned.flatMap((one) => one.faults.map(({ message }) => message));
  if (faults.length > 0) throw new Error(`The handler ${handler} answered with what a ${type.name} cannot be: ${faults.join(' ')}`);
  return { type, said, members: new Map(planned.map(({ name, json: kept }) => [name, kept])) };
}
