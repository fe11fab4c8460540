import type { Field } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { isArray } from '../../json/json.js';
import { jsonOf, planField } from '../../plan/handler-value.js';
import { plainOf, renderValue, valuePath } from '../../response/render-value.js';
import type { CalledOperation } from './answer-call.js';
import { chooseMade, refuseChoice } from './choose-made.js';
import type { Exchange } from '../exchange.js';
import type { ODataResponse } from '../../protocol/message.js';
import { negotiateJson, requirePlainText } from '../../protocol/negotiate.js';
import { recordFormat } from '../read/record-format.js';
import { emptyResponse, jsonResponse, textResponse } from '../../protocol/responses.js';

/** An answer that is a value, or a collection of values: checked as one of a body would be, and written as a property is. */
export function answerValue({ call: { operation }, target, answer }: CalledOperation, field: Field, exchange: Exchange): ODataResponse {
  const { request, options, service, version } = exchange;
  refuseChoice(options, operation.name, field.collection ?? false);
  if (options.select) throw errors.notImplemented(`The option $select for values that ${operation.name} makes`).at('$select');
  const { json, faults } = planField('answer', field, jsonOf(answer), { container: service.container, format: { ieee754Compatible: true }, partial: false });
  if (faults.length > 0) throw new Error(`The handler ${operation.handler} answered with what the result of ${operation.name} cannot be: ${faults.map(({ message }) => message).join(' ')}`);
  const [next, ...further] = target.rest;
  if (next !== undefined) {
    requirePlainText(request, options.format);
    if (further.length > 0 || next.key) throw errors.notImplemented(`/${next.name} behind ${operation.name}`).at(next.name);
    if (next.name === '$count' && isArray(json)) return textResponse(String(json.items.length), version);
    if (next.name === '$value' && !field.collection && field.complex === undefined) return json === null ? emptyResponse(204, version) : textResponse(plainOf(field, json), version);
    throw errors.notImplemented(`/${next.name} behind ${operation.name}`).at(next.name);
  }
  const format = recordFormat(negotiateJson(request, options.format), service, exchange.preferences);
  const frame = { format, container: service.container, path: valuePath(field) };
  if (!isArray(json)) return jsonResponse(200, renderValue(json, field, frame), format);
  const { values, count } = chooseMade(json.items, options);
  return jsonResponse(200, renderValue({ ...json, items: values }, field, { ...frame, ...(count !== undefined && { count }) }), format);
}
