import { qualify } from '../../../edm/index.js';
import { type EntityContainer } from '../../../edm/entity-container.js';
import { type OperationParameter } from '../../../edm/operation.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt } from '../../../errors/suggest.js';
import type { CommonExpr, LiteralExpr } from '../../../expression/ast.js';
import type { Json } from '../../../json/json.js';
import { bindAliases } from '../../../uri/bind-aliases.js';
import { parseAliasValue } from '../../../uri/parse-query-options.js';
import type { KeyLiteral } from '../../../uri/resource-path.js';
import { parseGeoValue } from '../../../plan/value/well-known-text.js';

/** The values of parameter aliases. */
export type AliasValues = ReadonlyMap<string, CommonExpr>;

/** The value of a function's parameter in a URL, as JSON like in an action's body. */
export function parameterJson(parameter: OperationParameter, literal: KeyLiteral, aliases: AliasValues, container: EntityContainer): Json {
  return exprJson(parameter, parseAliasValue(writtenText(literal), parameter.name), aliases, container);
}

/** A value in the query string, as JSON. */
export function exprJson(parameter: OperationParameter, value: CommonExpr, aliases: AliasValues, container: EntityContainer): Json {
  // All aliases are bound, so the option stays a filter.
  const bound = bindAliases({ filter: value, aliases }).filter ?? value;
  requireQuotes(parameter, bound);
  return toJson(bound, parameter.name, container);
}

function writtenText({ text, quoted, prefix = '' }: KeyLiteral): string {
  return quoted ? `${prefix}'${text.replaceAll("'", "''")}'` : text;
}

// In JSON all texts are strings; in a URL only quoted literals are.
function requireQuotes({ name, field }: OperationParameter, value: CommonExpr): void {
  if (field?.type !== 'Edm.String' || value.kind !== 'literal' || value.type === 'Edm.String' || value.type === 'null') return;
  throw errors.typeMismatch(`${name} is a string: write ${name}='${excerpt(value.value)}'.`).at(name);
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
      return { kind: 'object', members: new Map(value.members.map((member) => [member.name, toJson(member.value, name, container)])) };
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
      return parseGeoValue(value, type, name);
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
