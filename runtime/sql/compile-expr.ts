import { sqlHooks, type SpecialForm } from './hooks.js';
import { primitives, isFloating } from '../edm/index.js';
import type { TypedExpr, PropertyExpr, RelatedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileArithmetic, compileNegative, compileNumber } from './compile-arithmetic.js';
import { compileCast } from './compile-cast.js';
import { compileComparison, compileIn, compileLiteral } from './compile-comparison.js';
import { compileDynamic, compileNested, compileProperty } from './compile-path.js';
import { compileReached } from './compile-rows.js';
import { isCollection, isTextOfRequest } from '../plan/expr-facts.js';

/** A condition in which null counts as false: a `where`, its `and` and `or`. Comparisons stay plain, so that indexes apply. */
export function compileCondition(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'logical':
      return `(${compileCondition(expr.left, builder)} ${expr.operator} ${compileCondition(expr.right, builder)})`;
    case 'not':
      return compileNegation(expr.operand, builder);
    case 'comparison':
      return compileComparison(expr, builder);
    case 'in':
      return compileIn(expr, builder);
    default:
      return compileValue(expr, builder);
  }
}

// `not` is pushed inwards: OData's comparisons are never null, so a negation is true where SQL's would be unknown.
function compileNegation(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'not':
      return compileCondition(expr.operand, builder);
    case 'logical': {
      const operator = expr.operator === 'and' ? 'or' : 'and';
      return `(${compileNegation(expr.left, builder)} ${operator} ${compileNegation(expr.right, builder)})`;
    }
    case 'comparison':
      if (expr.operator === 'eq') return compileComparison({ ...expr, operator: 'ne' }, builder);
      if (expr.operator === 'ne') return compileComparison({ ...expr, operator: 'eq' }, builder);
      return `(${compileComparison(expr, builder)}) is not true`;
    case 'in':
      return `(${compileIn(expr, builder)}) is not true`;
    default:
      return `(not ${compileValue(expr, builder)})`;
  }
}

/** A value in OData's three-valued logic: comparisons are true or false, never null. */
export function compileValue(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'literal':
      return compileLiteral(expr, builder);
    case 'column':
      return compileProperty(expr, builder);
    case 'path':
      return compileNested(expr, builder);
    case 'dynamic':
      return compileDynamic(expr, builder);
    case 'not':
      return `(not ${compileValue(expr.operand, builder)})`;
    case 'negate':
      return compileNegative(expr, builder);
    case 'logical':
      return `(${compileValue(expr.left, builder)} ${expr.operator} ${compileValue(expr.right, builder)})`;
    case 'comparison':
    case 'in':
      return `((${compileCondition(expr, builder)}) is true)`;
    case 'arithmetic':
      return compileArithmetic(expr, builder);
    case 'call':
      return compileCall(expr, builder);
    case 'array':
      return compileArray(expr, builder);
    case 'computedArray':
      return compileComputedArray(expr, builder);
    case 'case':
      return compileCase(expr, builder);
    case 'cast':
      return compileCast(expr, builder);
    case 'search':
      return sqlHooks.get('compileSearch')(expr, builder);
    case 'constant':
      return expr.value ? 'true' : 'false';
    default:
      return compileReached(expr, builder);
  }
}

// The value of the first true condition; numbers in one type, text compared by code point.
function compileCase(expr: Extract<TypedExpr, { kind: 'case' }>, builder: StatementBuilder): string {
  const { type, branches, enumeration } = expr;
  const numeric = primitives[type].rank !== undefined && enumeration === undefined;
  const sqlType = type === 'Edm.Double' ? 'double precision' : 'numeric';
  const compiled = branches.map(({ condition, value }) => {
    const when = compileCondition(condition, builder);
    return `when ${when} then ${numeric ? compileNumber(value, sqlType, builder) : compileValue(value, builder)}`;
  });
  const text = `(case ${compiled.join(' ')} end)`;
  return type === 'Edm.String' ? `(${text} collate "C")` : text;
}

type Call = Extract<TypedExpr, { kind: 'call' }>;

/** A function by its template; some have a form for which an index applies when an argument is a literal. */
function compileCall(expr: Call, builder: StatementBuilder): string {
  const { name } = expr.method;
  const special = name.startsWith('geo.') ? sqlHooks.get('shapes').compile(expr, builder) : specialForms[name]?.(expr, builder);
  if (special !== undefined) return special;
  const args = expr.arguments.map((argument) => compileArgument(argument, builder));
  const value = compileTemplate(expr, args);
  return isTextOfRequest(expr) ? `(${value} collate "C")` : value;
}

function compileTemplate(expr: Call, args: readonly string[]): string {
  const [first] = expr.arguments;
  const sql = (first && isFloating(first.type) ? expr.method.floatingSql : undefined) ?? expr.method.sql;
  return sql.replace(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
}

// Numbers of collections are compared exactly, whatever the columns' types; complex values as JSON texts.
function compileArgument(argument: TypedExpr, builder: StatementBuilder): string {
  const value = compileValue(argument, builder);
  if (!isStored(argument) || !isCollection(argument)) return value;
  if (argument.type === 'Edm.ComplexType') return compileItems(value);
  return primitives[argument.type].rank === undefined ? value : `${value}::numeric[]`;
}

// Null items are SQL nulls, as in a collection of the request; the collection of a missing value or entity is null.
function compileItems(value: string): string {
  const items = "array(select nullif(item.value, 'null') from jsonb_array_elements(items) as item(value))";
  return `(select case when items is not null then ${items} end from (select ${value} offset 0) stored(items))`;
}

function isStored(expr: TypedExpr): expr is PropertyExpr | RelatedExpr {
  return expr.kind === 'column' || expr.kind === 'path' || expr.kind === 'related';
}

/** A literal collection. */
function compileArray({ type, values }: Extract<TypedExpr, { kind: 'array' }>, builder: StatementBuilder): string {
  if (type === 'null') return builder.bind(values, 'text[]');
  return builder.bind(values, `${primitives[type].rank === undefined ? primitives[type].sql : 'numeric'}[]`);
}

/** A collection of computed values. */
function compileComputedArray({ type, items }: Extract<TypedExpr, { kind: 'computedArray' }>, builder: StatementBuilder): string {
  const sql = primitives[type].rank === undefined ? primitives[type].sql : 'numeric';
  const array = `array[${items.map((item) => `${compileValue(item, builder)}::${sql}`).join(', ')}]`;
  return type === 'Edm.String' ? `(${array} collate "C")` : array;
}

const specialForms: { readonly [method: string]: SpecialForm | undefined } = {
  // A trigram or text_pattern_ops index applies to LIKE, but not to strpos; the pattern's own characters are escaped.
  contains: (expr, builder) => compileLike(expr, (text) => `%${text}%`, builder),
  startswith: (expr, builder) => compileLike(expr, (text) => `${text}%`, builder),
  endswith: (expr, builder) => compileLike(expr, (text) => `%${text}`, builder),
  hassubset: compileSubset,
};

function compileLike(expr: Call, pattern: (text: string) => string, builder: StatementBuilder): string | undefined {
  const [text, part] = expr.arguments;
  if (text === undefined || part?.kind !== 'literal' || part.nullable) return undefined;
  const value = compileValue(text, builder);
  return `(${value} like ${builder.bindValueOf(part, 'text', (sought) => pattern(sought.replace(/[\\%_]/g, '\\$&')))})`;
}

// A GIN index applies to containment, which ignores duplicates; the exact condition follows it.
function compileSubset(expr: Call, builder: StatementBuilder): string | undefined {
  const [whole, part] = expr.arguments;
  if (whole?.kind !== 'column' || whole.type !== 'Edm.String' || part?.kind !== 'array' || part.values.includes(null)) return undefined;
  const args = [compileValue(whole, builder), compileArray(part, builder)];
  return `(${args.join(' @> ')} and ${compileTemplate(expr, args)})`;
}
