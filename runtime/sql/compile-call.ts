import { isFloating, primitives } from '../edm/index.js';
import type { PropertyExpr, RelatedExpr, TypedExpr } from '../plan/typed-expr.js';
import { isCollection, isTextOfRequest } from '../plan/expr-facts.js';
import type { StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';
import { type SpecialForm, sqlHooks } from './hooks.js';

type Call = Extract<TypedExpr, { kind: 'call' }>;

/** A function call, or a collection from the request. */
export function compileCallOrArray(
  expr: Call | Extract<TypedExpr, { kind: 'array' | 'computedArray' }>,
  builder: StatementBuilder,
): string {
  if (expr.kind === 'call') return compileCall(expr, builder);
  return expr.kind === 'array' ? compileArray(expr, builder) : compileComputedArray(expr, builder);
}

// A function by its template; some have a form for which an index applies when an argument is a literal.
function compileCall(expr: Call, builder: StatementBuilder): string {
  const { name } = expr.method;
  const special = name.startsWith('geo.') ? sqlHooks.get('shapes').compile(expr, builder) : specialForms[name]?.(expr, builder);
  if (special !== undefined) return special;
  const value = compileTemplate(
    expr,
    expr.arguments.map((argument) => compileArgument(argument, builder)),
  );
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
  if (argument.type === 'Edm.ComplexType') return compileItems(argument, value);
  return primitives[argument.type].rank === undefined ? value : `${value}::numeric[]`;
}

// Null items are SQL nulls, as in a collection of the request. A missing collection is empty within a value, as in
// answers, and null for a missing entity.
function compileItems(argument: TypedExpr, value: string): string {
  const items = "array(select nullif(item.value, 'null') from jsonb_array_elements(items) as item(value))";
  const isWithin = argument.kind === 'path' && argument.steps.length > 0;
  return `(select ${isWithin ? items : `case when items is not null then ${items} end`} from (select ${value} offset 0) stored(items))`;
}

function isStored(expr: TypedExpr): expr is PropertyExpr | RelatedExpr {
  return expr.kind === 'column' || expr.kind === 'path' || expr.kind === 'related';
}

// A literal collection.
function compileArray({ type, values }: Extract<TypedExpr, { kind: 'array' }>, builder: StatementBuilder): string {
  if (type === 'null') return builder.bind(values, 'text[]');
  return builder.bind(values, `${primitives[type].rank === undefined ? primitives[type].sql : 'numeric'}[]`);
}

// A collection of computed values.
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
