import { own, type PrimitiveTypeName } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { CommonExpr, MethodCallExpr } from '../expression/ast.js';
import { familyNames, familyOf } from '../expression/families.js';
import { methods, unimplementedMethods, type Family, type Method } from '../expression/methods.js';
import { checkCast } from './check-cast.js';
import { typedNull } from './check-literal.js';
import type { Scope } from './scope.js';
import type { ExprFamily, TypedExpr, TypedLiteral } from './typed-expr.js';

const overloadsOf = groupByName(methods);

function groupByName(rows: readonly Method[]): ReadonlyMap<string, readonly Method[]> {
  const groups = new Map<string, Method[]>();
  for (const row of rows) groups.set(row.name, [...(groups.get(row.name) ?? []), row]);
  return groups;
}

/** A function call: known, offered by the model, with arguments that fit one of its overloads. */
export function checkMethodCall(expr: MethodCallExpr, scope: Scope, check: (expr: CommonExpr) => TypedExpr): TypedExpr {
  requireOffered(expr.method, scope);
  if (expr.method === 'cast') return checkCast(expr, scope, check);
  const overloads = overloadsOf.get(expr.method) ?? [];
  const args = expr.arguments.map(check);
  const method = overloads.find((row) => fits(row, args));
  if (method === undefined) throw noOverload(expr, overloads, args, scope);
  requireOwnOffset(expr, scope);
  requireLength(method, args, scope);
  const typed = args.map((argument, index) => typedNull(argument, typeOf(method.parameters[index])));
  return { kind: 'call', type: resultType(method, args), nullable: args.some(({ nullable }) => nullable), method, arguments: typed };
}

// The type of a null in the place of a parameter.
function typeOf(parameter: Family | undefined): TypedLiteral['type'] {
  return parameter === undefined ? 'null' : nullTypes[parameter];
}

const nullTypes: { readonly [Name in Family]: TypedLiteral['type'] } = {
  string: 'Edm.String',
  number: 'Edm.Decimal',
  boolean: 'Edm.Boolean',
  date: 'Edm.Date',
  time: 'Edm.TimeOfDay',
  timestamp: 'Edm.DateTimeOffset',
  duration: 'Edm.Duration',
  guid: 'Edm.Guid',
  binary: 'Edm.Binary',
  point: 'Edm.GeographyPoint',
  polygon: 'polygon',
  line: 'line',
};

function requireOffered(name: string, scope: Scope): void {
  if (unimplementedMethods.has(name)) throw errors.notImplemented(`The function ${name}`).at(scope.option);
  if (name !== 'cast' && !overloadsOf.has(name)) {
    throw errors.unknownName(`function ${name}`, 'OData', suggestion(name, [...overloadsOf.keys(), 'cast'])).at(name);
  }
  // An order by the clock is another one on every page, and its links would never end.
  if (name === 'now' && scope.option === '$orderby') throw errors.typeMismatch('now() cannot be used in $orderby: its value changes from page to page.').at(scope.option);
  const offered = scope.container.filterFunctions;
  if (offered !== undefined && !offered.includes(name)) throw errors.notImplemented(`The function ${name}`).at(scope.option);
}

/** The family of an expression; null fits every parameter. */
export function familyOfExpr(expr: TypedExpr): ExprFamily {
  if (expr.type === 'null') return undefined;
  if (expr.type === 'polygon' || expr.type === 'line') return expr.type;
  return familyOf[expr.type];
}

function fits(method: Method, args: readonly TypedExpr[]): boolean {
  if (method.parameters.length !== args.length) return false;
  return method.parameters.every((parameter, index) => {
    const argument = args[index];
    const family = argument && familyOfExpr(argument);
    return family === undefined || family === parameter;
  });
}

function resultType(method: Method, args: readonly TypedExpr[]): PrimitiveTypeName {
  if (method.result !== 'same') return method.result;
  const type = args[0]?.type;
  return type === 'Edm.Double' || type === 'Edm.Single' ? 'Edm.Double' : 'Edm.Decimal';
}

function noOverload(expr: MethodCallExpr, overloads: readonly Method[], args: readonly TypedExpr[], scope: Scope): Error {
  const forms = overloads.map(({ name, parameters }) => `${name}(${parameters.map(parameterName).join(', ')})`);
  const given = args.map((argument) => describe(familyOfExpr(argument))).join(', ');
  return errors.typeMismatch(`${expr.method} takes ${forms.join(' or ')}, and was given (${given}), at position ${expr.at + 1}.`).at(scope.option);
}

function parameterName(family: Family): string {
  return familyNames[family].replace(/^an? /, '');
}

function describe(family: ExprFamily): string {
  return family === undefined ? 'null' : familyNames[family];
}

const dateParts = { year: true, month: true, day: true, hour: true, minute: true, date: true, time: true } as const;

// Values are kept in UTC, so a part of a literal with another offset would be another one's (protocol 11.2.6.1.2).
function requireOwnOffset(expr: MethodCallExpr, scope: Scope): void {
  const [argument] = expr.arguments;
  if (!own(dateParts, expr.method) || argument?.kind !== 'literal' || argument.type !== 'Edm.DateTimeOffset') return;
  if (!/(Z|[+-]00:00)$/i.test(argument.value)) {
    throw errors.typeMismatch(`${expr.method} of ${argument.value} is not offered: this service keeps times in UTC, write it with Z.`).at(scope.option);
  }
}

// A negative length is a bad request (URL conventions 5.1.1.5.7).
function requireLength(method: Method, args: readonly TypedExpr[], scope: Scope): void {
  const length = args[2];
  if (method.name === 'substring' && length?.kind === 'literal' && length.value?.startsWith('-')) {
    throw errors.typeMismatch(`substring cannot take ${length.value} characters.`).at(scope.option);
  }
}
