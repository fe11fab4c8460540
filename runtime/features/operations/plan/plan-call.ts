import { type EntityContainer, type Operation, type OperationParameter, qualify } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import type { ErrorDetail } from '../../../errors/odata-error.js';
import { excerpt } from '../../../errors/suggest.js';
import type { CommonExpr, LiteralExpr } from '../../../expression/ast.js';
import { printExpr } from '../../../expression/print.js';
import { type Json, type JsonObject, jsonObject } from '../../../json/json.js';
import type { OperationTarget } from '../../../plan/path/path-target.js';
import type { JsonFormat } from '../../../plan/value/plan-value.js';
import { storedJson } from '../../../plan/value/value-text.js';
import { requireShapes } from '../../../plan/value/hooks.js';
import { bindAliases } from '../../../uri/bind-aliases.js';
import { parseAliasValue } from '../../../uri/parse-query-options.js';
import type { RawOption } from '../../../uri/query-options.js';
import { type KeyLiteral, printKeyLiteral } from '../../../uri/resource-path.js';
import { unknownParameter } from './find-call.js';
import { planHandlerValue } from './handler-value.js';

/** The chosen overload, and the argument of its handler. */
export interface PlannedCall {
  readonly operation: Operation;
  readonly values: { readonly [parameter: string]: unknown };
}

/** An executed call, and the answer of its handler. */
export interface CalledOperation {
  readonly call: PlannedCall;
  readonly target: OperationTarget;
  readonly answer: unknown;
  /** Calls the function whose answer this one is bound to. */
  readonly callBefore: (target: OperationTarget) => Promise<CalledOperation>;
}

/** The context of a call. */
export interface CallContext {
  readonly container: EntityContainer;
  readonly aliases: ReadonlyMap<string, CommonExpr>;
  /** The options as sent: those without `$` or `@` may be parameters. */
  readonly raw: readonly RawOption[];
  readonly format: JsonFormat;
}

/** A call of a function: the overload that has these parameters, and their values from path and query. */
export function planFunctionCall(target: OperationTarget, context: CallContext): PlannedCall {
  const inline = inlineParameters(target);
  const implicit = target.rest.length === 0 ? implicitParameters(target, inline, context.raw) : new Map<string, string>();
  const operation = chooseOverload(target, [...inline.keys(), ...implicit.keys()]);
  const values = new Map(
    operation.parameters.flatMap((parameter) => {
      const literal = inline.get(parameter.name);
      const text = literal ? printKeyLiteral(literal) : implicit.get(parameter.name);
      return text === undefined ? [] : [[parameter.name, parameterJson(parameter, text, context)] as const];
    }),
  );
  return { operation, values: planValues(operation, values, [], context) };
}

/** The names of a query string that are parameters of a call, and so have a meaning. */
export function parameterNames({ overloads }: OperationTarget): ReadonlySet<string> {
  return new Set(overloads.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
}

/** Plans the call of an action: its body has the parameters. Omitted nullable ones are null (protocol 4.01, 11.5.5.1). */
export function planActionCall({ overloads }: OperationTarget, body: JsonObject | undefined, context: CallContext): PlannedCall {
  const [operation] = overloads;
  if (operation === undefined) throw new Error('The model has an import of an undefined action.');
  const members = body?.members ?? new Map<string, Json>();
  const known = new Set(operation.parameters.map(({ name }) => name));
  const unknown = [...members.keys()].filter((name) => !known.has(name) && !name.includes('@'));
  const faults = unknown.map((name) => unknownParameter(name, operation).asDetail(name));
  return { operation, values: planValues(operation, members, faults, context) };
}

function inlineParameters({ part, name, overloads }: OperationTarget): ReadonlyMap<string, KeyLiteral> {
  const { key } = part;
  if (key?.kind === 'single') {
    const overload = overloads.find(({ parameters }) => parameters.length > 0);
    const named = (overload?.parameters ?? []).map((parameter) => `${parameter.name}=...`).join();
    throw errors.typeMismatch(`The parameters of ${name} have names: write ${name}(${named}).`).at(name);
  }
  return new Map((key?.literals ?? []).map(({ name: parameter, literal }) => [parameter, literal]));
}

// Implicit parameter aliases (protocol 4.01, 11.5.4.1.1): a parameter may be in the query string, with @ if it has the name of an option.
function implicitParameters(
  target: OperationTarget,
  inline: ReadonlyMap<string, KeyLiteral>,
  raw: readonly RawOption[],
): ReadonlyMap<string, string> {
  const names = parameterNames(target);
  const bare = raw.map(({ name, value }) => [name.replace(/^@/, ''), value] as const);
  return new Map(bare.filter(([name]) => names.has(name) && !inline.has(name)));
}

// Optional parameters may be omitted; of several matching overloads the one with the fewest parameters is called.
function chooseOverload({ overloads }: OperationTarget, given: readonly string[]): Operation {
  const fits = ({ parameters }: Operation): boolean =>
    given.every((name) => parameters.some((parameter) => parameter.name === name)) &&
    parameters.every(({ name, optional }) => optional || given.includes(name));
  const [first] = overloads;
  if (first === undefined) throw new Error('The model has an import of an undefined function.');
  // Those that are bound to the nearest type come first.
  const nearest = overloads.filter(({ binding }) => binding?.type === first.binding?.type);
  const chosen = [nearest, overloads]
    .map((some) => some.filter(fits).sort((one, other) => one.parameters.length - other.parameters.length)[0])
    .find((one) => one !== undefined);
  if (chosen) return chosen;
  const shared = ({ parameters }: Operation): number => parameters.filter(({ name }) => given.includes(name)).length;
  const closest = [...overloads].sort((one, other) => shared(other) - shared(one))[0] ?? first;
  throw refusalOf(closest, given);
}

function refusalOf(operation: Operation, given: readonly string[]): Error {
  const names = operation.parameters.map(({ name }) => name);
  const unknown = given.filter((name) => !names.includes(name)).map((name) => unknownParameter(name, operation).asDetail(name));
  const missing = operation.parameters
    .filter(({ name, optional }) => !optional && !given.includes(name))
    .map(({ name }) => errors.missingParameter(name, operation.name).asDetail(name));
  return errors.badArguments(`The function ${operation.name}`).with([...unknown, ...missing]);
}

function planValues(
  operation: Operation,
  given: ReadonlyMap<string, Json>,
  faults: readonly ErrorDetail[],
  { container, format }: CallContext,
): PlannedCall['values'] {
  if (operation.unsupported !== undefined)
    throw errors
      .notImplemented(`The ${operation.kind.toLowerCase()} ${operation.name}, which uses ${operation.unsupported},`)
      .at(operation.name);
  const planned = operation.parameters.flatMap((parameter) => {
    const { name } = parameter;
    const json = given.get(name) ?? defaultOf(parameter);
    if (json === undefined && !given.has(name)) return parameter.optional ? [] : [absent(parameter, operation)];
    return [{ name, ...planHandlerValue(name, parameter, json ?? null, { container, format, partial: false }) }];
  });
  const all = [...faults, ...planned.flatMap((one) => one.faults.map((fault) => fault.asDetail()))];
  if (all.length > 0) throw errors.badArguments(`The ${operation.kind.toLowerCase()} ${operation.name}`).with(all);
  return Object.fromEntries(planned.map(({ name, value }) => [name, value]));
}

function defaultOf({ field }: OperationParameter): Json | undefined {
  if (field?.default === undefined) return undefined;
  return field.enumeration ? field.default : storedJson(field, field.default);
}

function absent(
  { name, nullable }: OperationParameter,
  operation: Operation,
): { readonly name: string; readonly value: unknown; readonly faults: readonly ReturnType<typeof errors.missingParameter>[] } {
  const faults = nullable && operation.kind === 'Action' ? [] : [errors.missingParameter(name, operation.name).at(name)];
  return { name, value: null, faults };
}

// The value of a function's parameter in a URL, as JSON like in an action's body.
function parameterJson(parameter: OperationParameter, text: string, { aliases, container }: CallContext): Json {
  const value = parseAliasValue(text, parameter.name);
  // All aliases are bound, so the option stays a filter.
  const bound = bindAliases({ filter: value, aliases }).filter ?? value;
  requireQuotes(parameter, bound);
  return toJson(bound, parameter.name, container);
}

// In JSON all texts are strings; in a URL only quoted literals are.
function requireQuotes({ name, field }: OperationParameter, value: CommonExpr): void {
  const isBare = value.kind === 'member' || (value.kind === 'literal' && value.type !== 'Edm.String' && value.type !== 'null');
  if (field?.type !== 'Edm.String' || !isBare) return;
  throw errors
    .typeMismatch(`${name} is a string: write ${name}='${excerpt(value.kind === 'literal' ? value.value : printExpr(value))}'.`)
    .at(name);
}

function toJson(value: CommonExpr, name: string, container: EntityContainer): Json {
  switch (value.kind) {
    case 'literal':
      return literalJson(value, name);
    case 'enum':
      return enumJson(value.type, value.value, name, container);
    case 'unary':
      return negative(value.operand, name);
    case 'array':
    case 'list':
      return { kind: 'array', items: value.items.map((item) => toJson(item, name, container)) };
    case 'object':
      return jsonObject(value.members.map((member) => [member.name, toJson(member.value, name, container)]));
    default:
      throw notConstant(name);
  }
}

function literalJson({ type, value }: LiteralExpr, name: string): Json {
  switch (type) {
    case 'null':
      return null;
    case 'Edm.Boolean':
      return value === 'true';
    case 'Edm.Int64':
    case 'Edm.Decimal':
    case 'Edm.Double':
      return /[FN]/.test(value) ? value : { kind: 'number', text: value };
    case 'Edm.Geography':
    case 'Edm.Geometry':
      return requireShapes(name).json(value, type, name);
    default:
      return value;
  }
}

function enumJson(type: string, text: string, name: string, container: EntityContainer): Json {
  if (Object.hasOwn(container.enumTypes ?? {}, qualify(container, type))) return text;
  throw errors.typeMismatch(`There is no enumeration ${excerpt(type)}.`).at(name);
}

function negative(operand: CommonExpr, name: string): Json {
  if (operand.kind === 'literal' && /^\d/.test(operand.value)) return { kind: 'number', text: `-${operand.value}` };
  throw notConstant(name);
}

function notConstant(name: string): Error {
  return errors
    .notImplemented(`An expression as the value of the parameter ${name}`, `Write a constant, as in ${name}=5 or ${name}='text'.`)
    .at(name);
}
