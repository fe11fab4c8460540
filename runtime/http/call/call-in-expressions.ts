import { complexTypeOf, fieldOf, type Field } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr, MemberExpr } from '../../expression/ast.js';
import { excerpt } from '../../expression/quote.js';
import { isObject, type Json } from '../../json/json.js';
import { unboundFunctions } from '../../plan/find-call.js';
import { jsonOf, planField } from '../../plan/call/handler-value.js';
import { planCallInExpression } from '../../plan/call/plan-call.js';
import { valueExpr } from '../../plan/call/value-expr.js';
import type { Exchange } from '../exchange.js';
import { callFunctionFor, requireImplemented, type CarryOut } from './call-operation.js';

/** The most calls in the options of one request. */
const mostCalls = 10;

/**
 * Replaces calls of the model's functions in the options by their results (URL conventions 5.1.1.15), where arguments
 * do not depend on an entity: handlers are called once, before the statement.
 */
export async function withFunctionsCalled(exchange: Exchange, carryOut: CarryOut): Promise<Exchange> {
  const { container } = exchange.service;
  if (container.operations === undefined) return exchange;
  const calls = [...callsIn(exchange.options, (name) => unboundFunctions(name, container).length > 0)];
  if (calls.length === 0) return exchange;
  if (calls.length > mostCalls)
    throw errors.limitExceeded(`The request calls functions ${calls.length} times in its expressions, and the limit is ${mostCalls}.`);
  const values = new Map<object, CommonExpr>();
  for (const call of calls) values.set(call, await valueOf(call, exchange, carryOut));
  const { keeping: _, ...others } = exchange;
  return { ...others, options: replaced(exchange.options, values) as Exchange['options'] }; // Expressions are replaced by expressions.
}

// An expression is a tree of plain objects.
function* callsIn(value: unknown, isFunction: (name: string) => boolean): Generator<MemberExpr> {
  if (typeof value !== 'object' || value === null) return;
  if (isCall(value, isFunction)) yield value;
  else for (const part of Object.values(value)) yield* callsIn(part, isFunction);
}

function isCall(value: object, isFunction: (name: string) => boolean): value is MemberExpr {
  if (!('kind' in value) || value.kind !== 'member' || !('path' in value) || !Array.isArray(value.path)) return false;
  const [first] = (value as MemberExpr).path;
  return first?.parentheses !== undefined && isFunction(first.name);
}

function replaced(value: unknown, values: ReadonlyMap<object, CommonExpr>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, values));
  const found = values.get(value);
  if (found) return found;
  if ('kind' in value && value.kind === 'lambda' && 'source' in value && values.has(value.source as object))
    throw noRange(value.source as MemberExpr);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, values)]));
}

function noRange({ path }: MemberExpr): Error {
  return errors.notImplemented(
    `A lambda over the values of ${excerpt(path[0]?.name ?? '')}(...)`,
    'Write in, as in ‹text› in Ns.Names(), or hassubset(‹items›,Ns.Names()).',
  );
}

async function valueOf({ path, at }: MemberExpr, exchange: Exchange, carryOut: CarryOut): Promise<CommonExpr> {
  const [call, ...rest] = path;
  if (call === undefined) throw new Error('A call without a name.');
  const { service, raw, parameters = new Map() } = exchange;
  const { container } = service;
  const overloads = unboundFunctions(call.name, container);
  const target = { kind: 'operation', called: 'Function', name: call.name, overloads, part: { name: call.name }, rest: [] } as const;
  requireImplemented(target, exchange);
  const planned = planCallInExpression(target, call, { container, aliases: parameters, raw, format: { ieee754Compatible: false } });
  const { operation } = planned;
  const field = operation.result?.field;
  if (field === undefined)
    throw errors
      .notImplemented(`The function ${operation.name} in an expression, which answers with records,`, 'Read them by its own address first.')
      .at(call.name);
  const answer = await callFunctionFor(target, planned, exchange, carryOut);
  const { json, faults } = planField('answer', field, jsonOf(answer), { container, format: { ieee754Compatible: true }, partial: false });
  if (faults.length > 0)
    throw new Error(
      `The handler ${operation.handler} answered with what the result of ${operation.name} cannot be: ${faults.map(({ message }) => message).join(' ')}`,
    );
  const [end, value] = rest.reduce<readonly [Field, Json]>(([type, whole], { name }) => member(type, whole, name, exchange), [field, json]);
  return valueExpr(value, end, at);
}

// A member of a complex result.
function member(field: Field, json: Json, name: string, { service: { container } }: Exchange): readonly [Field, Json] {
  const type = field.complex === undefined || field.collection ? undefined : complexTypeOf(container, field);
  const found = type && fieldOf(type, name);
  if (found === undefined) throw errors.unknownName(excerpt(name), 'The value of the function', '').at(name);
  return [found, json !== null && isObject(json) ? (json.members.get(name) ?? null) : null];
}
