import { errors } from '../../errors/catalogue.js';
import type { BinaryExpr, CommonExpr, MemberExpr } from '../../expression/ast.js';
import { parseFilter } from '../../expression/parser.js';
import type { WholeResponse } from '../../protocol/message.js';
import type { Json } from '../../json/json.js';
import { parseJsonObject } from '../../json/parse-json.js';
import { compareDecimal } from '../../json/canonical-number.js';
import { hasSucceeded, type Outcomes } from './batch.js';

// Or a string, which contains no reference.
const reference = /'(?:[^']|'')*'|\$([^\s/()$,]+)(?=$|[\s/),])(?<!\/\$[^\s/()$,]+)/g;

/** The names of the requests and groups that an `if` refers to. */
export function referencesOf(text: string): readonly string[] {
  return [...text.matchAll(reference)].flatMap(([, name]) => name ?? []);
}

/** Whether the `if` of a request is true (JSON format 19.1): `$1/$succeeded`, or a comparison with the answer of `$1`. */
export function isConditionMet(text: string, outcomes: Outcomes): boolean {
  const names: string[] = [];
  // The expression grammar has aliases, but no references to requests.
  const bound = text.replace(reference, (found, name?: string) => (name === undefined ? found : `@r${names.push(name) - 1}`));
  return evaluate(parseFilter(bound, 'if'), { names, outcomes }) === true;
}

interface Bound {
  readonly names: readonly string[];
  readonly outcomes: Outcomes;
}

/** Numbers as text are distinguished from strings. */
type Value = null | boolean | string | { readonly number: string } | { readonly json: Json };

function evaluate(expr: CommonExpr, bound: Bound): Value {
  switch (expr.kind) {
    case 'literal':
      return literalValue(expr.type, expr.value);
    case 'alias':
      return bodyValue(expr.name, [], bound);
    case 'member':
      return memberValue(expr, bound);
    case 'unary':
      return expr.operator === 'not' ? negated(evaluate(expr.operand, bound)) : notOffered('a minus before a path');
    case 'binary':
      return compare(expr, bound);
    default:
      return notOffered(unsupported[expr.kind]);
  }
}

/** The expressions that an `if` cannot have. */
const unsupported = {
  methodCall: 'a function',
  lambda: 'any or all',
  list: 'a list',
  type: 'a type',
  enum: 'a value of an enumeration',
  array: 'a JSON array',
  object: 'a JSON object',
  case: 'case',
} as const;

function literalValue(type: string, value: string): Value {
  if (type === 'null') return null;
  if (type === 'Edm.Boolean') return value.toLowerCase() === 'true';
  return type === 'Edm.Int64' || type === 'Edm.Decimal' || type === 'Edm.Double' ? { number: value } : value;
}

function memberValue({ base, path }: MemberExpr, bound: Bound): Value {
  if (base?.kind !== 'alias') return notOffered('a path that does not start with a reference to a request');
  const [first] = path;
  if (first?.name === '$succeeded' && path.length === 1) return hasSucceeded(bound.outcomes, nameOf(base.name, bound));
  const names = path.map(({ name }) => name);
  return bodyValue(base.name, names, bound);
}

function nameOf(alias: string, { names }: Bound): string {
  return names[Number(alias.slice(2))] ?? '';
}

const noAnswer: Pick<WholeResponse, 'headers' | 'body'> = { headers: {} };

// Null where the answer has no such value.
function bodyValue(alias: string, path: readonly string[], bound: Bound): Value {
  const { headers, body } = bound.outcomes.parts.get(nameOf(alias, bound))?.response ?? noAnswer;
  if (body === undefined || !headers['Content-Type']?.startsWith('application/json')) return null;
  let json: Json = parseJsonObject(typeof body === 'string' ? Buffer.from(body) : body);
  for (const name of path) {
    const next: Json | undefined = typeof json === 'object' && json?.kind === 'object' ? json.members.get(name) : undefined;
    json = next ?? null;
  }
  if (typeof json !== 'object' || json === null) return json;
  return json.kind === 'number' ? { number: json.text } : { json };
}

function negated(value: Value): Value {
  return typeof value === 'boolean' ? !value : null;
}

function compare({ operator, left, right }: BinaryExpr, bound: Bound): Value {
  const [a, b] = [evaluate(left, bound), evaluate(right, bound)];
  switch (operator) {
    case 'and':
      return a === false || b === false ? false : a === true && b === true ? true : null;
    case 'or':
      return a === true || b === true ? true : a === false && b === false ? false : null;
    case 'eq':
      return order(a, b) === 0;
    case 'ne':
      return order(a, b) !== 0;
    case 'gt':
      return order(a, b) === 1;
    case 'ge':
      return a !== null && (order(a, b) ?? -1) >= 0;
    case 'lt':
      return order(a, b) === -1;
    case 'le':
      return a !== null && (order(a, b) ?? 1) <= 0;
    default:
      return notOffered(operator);
  }
}

// Undefined for values that cannot be compared.
function order(a: Value, b: Value): -1 | 0 | 1 | undefined {
  if (a === null || b === null || typeof a === 'boolean' || typeof b === 'boolean') return a === b ? 0 : undefined;
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -1 : 1;
  if (typeof a === 'object' && 'number' in a && typeof b === 'object' && 'number' in b) return compareDecimal(a.number, b.number);
  return undefined;
}

function notOffered(what: string): never {
  throw errors.failedDependency(`its if has ${what}, which is not supported there; compare values of answers, as in $1/City eq 'Oslo'`);
}
