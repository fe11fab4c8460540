import type { BinaryExpr, CommonExpr } from '../../runtime/expression/ast.js';
import { printExpr } from '../../runtime/expression/print.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { printOptions } from '../../runtime/uri/print-options.js';
import type { QueryOptions } from '../../runtime/uri/query-options.js';
import { functionOperators } from './reach.js';
import { readText, toRequest } from './request-text.js';

/** A condition of `$filter`: a value compared with another one, or any other text. */
export type Condition =
  | { readonly kind: 'comparison'; readonly left: string; readonly operator: string; readonly right: string }
  | { readonly kind: 'text'; readonly text: string };

/** A query as a form: the parts that are edited by clicking. Texts are those of the printer. */
export interface QueryForm {
  readonly conditions: readonly Condition[];
  readonly order: readonly { readonly value: string; readonly descending: boolean }[];
  readonly select: readonly string[];
  readonly expand: readonly string[];
  readonly top: string;
  readonly count: boolean;
}

/** The form of parsed options. */
export function readForm(options: QueryOptions): QueryForm {
  return {
    conditions: options.filter ? conditionsOf(options.filter) : [],
    order: (options.orderby ?? []).map(({ expression, descending }) => ({ value: printExpr(expression), descending })),
    select: itemsOf({ select: options.select ?? [] }),
    expand: itemsOf({ expand: options.expand ?? [] }),
    top: options.top?.toString() ?? '',
    count: options.count ?? false,
  };
}

// Items are printed one by one, since their options may have commas.
function itemsOf({ select = [], expand = [] }: Pick<QueryOptions, 'select' | 'expand'>): readonly string[] {
  const single = [...select.map((item) => ({ select: [item] })), ...expand.map((item) => ({ expand: [item] }))];
  return single.flatMap((options) => printOptions(options).map(({ value }) => value));
}

function conditionsOf(expr: CommonExpr): readonly Condition[] {
  if (expr.kind === 'binary' && expr.operator === 'and') return [...conditionsOf(expr.left), ...conditionsOf(expr.right)];
  return [conditionOf(expr)];
}

function conditionOf(expr: CommonExpr): Condition {
  if (expr.kind === 'binary' && expr.operator !== 'or') return comparison(expr.left, expr.operator, expr.right);
  const [left, right] = expr.kind === 'methodCall' ? expr.arguments : [];
  if (expr.kind === 'methodCall' && left && right && functionOperators.includes(expr.method)) return comparison(left, expr.method, right);
  return { kind: 'text', text: isOr(expr) ? `(${printExpr(expr)})` : printExpr(expr) };
}

function isOr(expr: CommonExpr): expr is BinaryExpr {
  return expr.kind === 'binary' && expr.operator === 'or';
}

function comparison(left: CommonExpr, operator: string, right: CommonExpr): Condition {
  return { kind: 'comparison', left: printExpr(left), operator, right: printExpr(right) };
}

function conditionText(condition: Condition): string {
  if (condition.kind === 'text') return condition.text;
  const { left, operator, right } = condition;
  return functionOperators.includes(operator) ? `${operator}(${left},${right})` : `${left} ${operator} ${right}`;
}

/** The text with the form's parts; what the form does not show stays as it is. */
export function printForm(text: string, form: QueryForm): string {
  const values: readonly (readonly [name: string, value: string])[] = [
    ['$filter', form.conditions.map(conditionText).join(' and ')],
    ['$orderby', form.order.map(({ value, descending }) => `${value}${descending ? ' desc' : ''}`).join(',')],
    ['$expand', form.expand.join(',')],
    ['$select', form.select.join(',')],
    ['$count', form.count ? 'true' : ''],
    ['$top', form.top],
  ];
  return values.reduce((before, [name, value]) => withOption(before, name, printed(name, value)), text);
}

// By the printer of the service, where the value can be parsed.
function printed(name: string, value: string): string {
  try {
    const { query } = toRequest({ path: '', pathAt: 0, options: [{ name, value, from: 0, at: 0, to: 0 }] });
    return printOptions(parseQueryOptions(query).options)[0]?.value ?? value;
  } catch {
    return value; // The marks say what is wrong with it.
  }
}

function withOption(text: string, name: string, value: string): string {
  const found = readText(text).options.find((option) => option.name.replace(/^\$?/, '$').toLowerCase() === name);
  if (found && value === '') return `${text.slice(0, found.from).replace(/\n[^\n]*$/, '')}${text.slice(found.to)}`;
  if (found) return found.value === value ? text : `${text.slice(0, found.at)}${value}${text.slice(found.to)}`;
  return value === '' ? text : `${text.trimEnd()}\n${name}=${value}`;
}
