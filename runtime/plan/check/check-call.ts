import { mismatchAt, type Scope } from '../scope.js';
import { isFloating, own, type PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt } from '../../errors/suggest.js';
import type { MethodCallExpr } from '../../expression/ast.js';
import { familyNames, type Family, type Method } from '../../expression/methods.js';
import { printExpr } from '../../expression/print.js';
import { complexOf, enumerationOf, familyOfExpr, isCollection, isPropertyType, ofComplex, ofEnumeration } from '../expr-facts.js';
import { planHooks } from '../hooks.js';
import { nameOf } from '../shown-path.js';
import type { TypedExpr, TypedLiteral } from '../typed-expr.js';
import { typedNull } from '../value/check-literal.js';
import { requireShapes } from '../value/hooks.js';
import { matchArguments, requireComparableItems } from './check-json.js';
import { checkCast, checkDefined, checkIsof } from './check-cast.js';
import { describeFamily } from './operator-types.js';
import { overloadsOf, requireOffered } from '../path/offered-functions.js';

/** A function call: known, offered by the model, with arguments that fit one of its overloads. */
export function checkMethodCall(expr: MethodCallExpr, scope: Scope): TypedExpr {
  if (expr.method === 'isdefined') return checkDefined(expr, scope);
  requireOffered(expr.method, scope, expr.arguments);
  if (expr.method === 'cast') return checkCast(expr, scope);
  if (expr.method === 'isof') return checkIsof(expr, scope);
  const overloads = overloadsOf.get(expr.method) ?? [];
  const given = expr.arguments.map((argument) => scope.checks.operand(argument, scope));
  const args = matchArguments(given, scope);
  const method = overloads.find((row) => fits(row, args));
  if (method === undefined) throw noOverload(expr, overloads, args, scope);
  requireComparableItems(expr.method, args, expr.at, scope);
  requireOwnOffset(expr, scope);
  requireLength(method, args, scope);
  if (expr.method.startsWith('geo.')) requireShapes(scope.option).requireOneSystem(expr, args, scope.option);
  const typed = args.map((argument, index) => typedNull(withPattern(method, argument, index, scope), typeOf(method.parameters[index])));
  const whole = method.result === 'collection' ? args : [];
  const of = {
    ...ofEnumeration(whole.map(enumerationOf).find((one) => one !== undefined)),
    ...ofComplex(whole.map(complexOf).find((one) => one !== undefined)),
  };
  return { kind: 'call', type: resultType(method, args), ...of, nullable: args.some(({ nullable }) => nullable), method, arguments: typed };
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
  shape: 'null',
  anyShape: 'null',
  enumeration: 'null',
  complex: 'Edm.ComplexType',
  collection: 'null',
};

function fits(method: Method, args: readonly TypedExpr[]): boolean {
  if (method.parameters.length !== args.length) return false;
  return method.parameters.every((parameter, index) => {
    const argument = args[index];
    const family = argument && familyOfExpr(argument);
    return (
      family === parameter || (family === undefined && parameter !== 'collection') || (family === 'anyShape' && asShape.has(parameter))
    );
  });
}

// The kind of an arbitrary shape is known only from its value.
const asShape: ReadonlySet<Family> = new Set<Family>(['point', 'polygon', 'line']);

function resultType(method: Method, args: readonly TypedExpr[]): PrimitiveTypeName {
  if (method.result !== 'same' && method.result !== 'collection') return method.result;
  const type = args[0]?.type;
  if (method.result === 'collection') return isPropertyType(type) ? type : 'Edm.String';
  return isFloating(type) ? 'Edm.Double' : 'Edm.Decimal';
}

function noOverload(expr: MethodCallExpr, overloads: readonly Method[], args: readonly TypedExpr[], scope: Scope): Error {
  const forms = overloads.map(
    ({ name, parameters }) => `${name}(${parameters.map((family) => familyNames[family].replace(/^an? /, '')).join(', ')})`,
  );
  const given = args.map((argument) => describeFamily(familyOfExpr(argument))).join(', ');
  return mismatchAt(
    expr.at,
    scope,
    `${expr.method} needs ${forms.join(' or ')}, but has (${given})`,
    `.${castHint(expr, overloads, args) || itemHint(expr, args) || sameHint(expr, args)}`,
  );
}

// A number in place of a text needs a cast, and so does an enumeration.
function castHint({ method, arguments: given }: MethodCallExpr, overloads: readonly Method[], args: readonly TypedExpr[]): string {
  const row = overloads.find(({ parameters }) => parameters.length === args.length && parameters.every((family) => family === 'string'));
  const [first, argument] = [given[0], args[0]];
  if (
    row === undefined ||
    first?.kind !== 'member' ||
    argument === undefined ||
    !['number', 'enumeration', 'guid', 'date'].includes(familyOfExpr(argument) ?? '')
  )
    return '';
  return ` Write ${method}(cast(${nameOf(first)},Edm.String)${args.length > 1 ? ',...' : ''}).`;
}

// `date` of a date has no effect.
function sameHint({ method, arguments: [given] }: MethodCallExpr, args: readonly TypedExpr[]): string {
  const [first] = args;
  const same = (method === 'date' && first?.type === 'Edm.Date') || (method === 'time' && first?.type === 'Edm.TimeOfDay');
  if (method === 'round' && first && args.length === 2) return ' It rounds to whole numbers: write round(‹number› mul 100) div 100.';
  if (method.startsWith('geo.') && args.some((one) => one.kind === 'literal' && one.type === 'Edm.String'))
    return ` A point is written geography'POINT(-79.38 43.65)', longitude first.`;
  return same && given ? ` Write ${printExpr(given)}.` : '';
}

// A text within a collection of texts is looked for in each of them.
function itemHint({ method, arguments: [given] }: MethodCallExpr, [first, second]: readonly TypedExpr[]): string {
  if (given?.kind !== 'member' || first === undefined || second === undefined || !isCollection(first) || familyOfExpr(second) !== 'string')
    return '';
  return ` Write ${nameOf(given)}/any(x:${method}(x,...)), or any(x:x eq ...) for a whole value.`;
}

const dateParts = { year: true, month: true, day: true, hour: true, minute: true, date: true, time: true } as const;

// Values are kept in UTC, so a part of a literal with another offset would be another one's (protocol 11.2.6.1.2).
function requireOwnOffset(expr: MethodCallExpr, scope: Scope): void {
  const [argument] = expr.arguments;
  if (!own(dateParts, expr.method) || argument?.kind !== 'literal' || argument.type !== 'Edm.DateTimeOffset') return;
  if (!/(Z|[+-]00:00)$/i.test(argument.value)) {
    throw errors
      .typeMismatch(`${expr.method} of ${argument.value} is not supported: this service stores times in UTC, write it with Z.`)
      .at(scope.option);
  }
}

// A pattern from the data could not be translated, nor its time be bounded.
function withPattern({ name }: Method, argument: TypedExpr, index: number, scope: Scope): TypedExpr {
  if (name !== 'matchespattern' || index !== 1) return argument;
  if (argument.kind !== 'literal')
    throw errors
      .notImplemented(
        'matchespattern with a pattern that is not a literal',
        'A pattern is converted and checked for its cost before the statement runs, so it cannot come from a record. Write contains, startswith or endswith, which accept properties on both sides.',
      )
      .at(scope.option);
  if (argument.value === null) return argument;
  adviseSpace(argument.value, scope);
  return { ...argument, value: planHooks.get('translatePattern')(argument.value, scope.option) };
}

// `[0-9]+$` in a query string is `[0-9] $`: a plus sign is a space there.
function adviseSpace(pattern: string, { advice, option }: Scope): void {
  if (!/[^ (|^] (?:[$)|?]|$)/.test(pattern)) return;
  const where = `The pattern '${excerpt(pattern)}' has a space at the end of a part`;
  advice?.push(errors.badOption(`${where}; a plus sign in a query string is a space, write %2B, or [ ] for a space.`).at(option));
}

// Positions are whole numbers, and a negative length is a bad request (URL conventions 5.1.1.5.7).
function requireLength({ name }: Method, [, start, length]: readonly TypedExpr[], scope: Scope): void {
  if (name !== 'substring') return;
  if ([start, length].some((one) => one && mayBeFraction(one)))
    throw errors.typeMismatch('substring needs whole numbers; apply floor(...) to fractions.').at(scope.option);
  if (length?.kind === 'literal' && length.value?.startsWith('-'))
    throw errors.typeMismatch(`substring cannot return ${length.value} characters.`).at(scope.option);
}

const rounding: ReadonlySet<string> = new Set(['ceiling', 'floor', 'round']);

// The type of a dynamic property is that of its place, and not its own.
function mayBeFraction(expr: TypedExpr): boolean {
  if (expr.kind === 'dynamic' || (expr.kind === 'call' && rounding.has(expr.method.name))) return false;
  return expr.type === 'Edm.Decimal' || isFloating(expr.type);
}
