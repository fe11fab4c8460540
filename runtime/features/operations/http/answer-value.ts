import type { Field } from '../../../edm/field.js';
import { errors } from '../../../errors/catalogue.js';
import { jsonOf, planField } from '../plan/handler-value.js';
import { transientValue, valueTarget } from '../plan/transient-value.js';
import type { CalledOperation } from './answer-call.js';
import { readTransient } from './answer-transient.js';
import { contextOf } from './as-reading.js';
import type { Exchange } from '../../../http/service.js';
import type { ODataResponse } from '../../../protocol/message.js';
import { readProperty } from '../../../http/read/read-property.js';

/**
 * An answer that is a value or a collection of values: checked like a body, and read as a property of a transient row
 * that is bound to the statement.
 */
export async function answerValue(
  { call: { operation }, target: { part, rest }, answer }: CalledOperation,
  field: Field,
  exchange: Exchange,
): Promise<ODataResponse> {
  if (part.resultKey)
    throw errors
      .typeMismatch(`${operation.name} returns values, which have no keys; write /$filter($this eq ...) after its call.`)
      .at(operation.name);
  const { container } = exchange.service;
  const { json, faults } = planField('answer', field, jsonOf(answer), { container, format: { ieee754Compatible: true }, partial: false });
  if (faults.length > 0)
    throw new Error(
      `The handler ${operation.handler} returned an invalid result for ${operation.name}: ${faults.map(({ message }) => message).join(' ')}`,
    );
  const place = transientValue(container, operation.name, field);
  const reading = readTransient(exchange, place, [{ kind: 'object', members: new Map([['value', json]]) }]);
  return readProperty(valueTarget(place, rest, contextOf(reading)), reading);
}
