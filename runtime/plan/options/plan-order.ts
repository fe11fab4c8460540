import { type EntityType, fieldOf, keyColumnOf, keyFieldOf, navigationOf, rowColumn } from '../../edm/index.js';
import { located } from '../../errors/odata-error.js';
import type { CommonExpr } from '../../expression/ast.js';
import { shapeFamilies } from '../../expression/methods.js';
import { observed } from '../../expression/plan-parameter.js';
import { printExpr } from '../../expression/print.js';
import type { OrderbyItem } from '../../uri/query-options.js';
import { checkExpr } from '../check/check-expr.js';
import { complexOf, familyOfExpr, internalColumn } from '../expr-facts.js';
import type { OrderTerm } from '../read-plan.js';
import { computedNames, mismatchAt, refuseHidden, type Scope } from '../scope.js';
import type { ColumnExpr, TypedExpr } from '../typed-expr.js';
import { asJson, isUntyped } from '../value/check-literal.js';

/** The requested order, made total by the key or `#id`, so that paging never skips or repeats an entity. */
export function planOrder(items: readonly OrderbyItem[] | undefined, type: EntityType, alias: string, scope: Scope): readonly OrderTerm[] {
  const asked = (items ?? []).map((item) => planOrderTerm(item, scope));
  // Keys of transient entities may be missing or equal.
  if (type.transient) return [...asked, { expression: internalColumn(alias, rowColumn(type)), descending: false }];
  const descending = asked.at(-1)?.descending ?? false;
  const keys = type.key.map((name) => ({ expression: keyColumn(type, name, alias), descending }));
  const appended = mayChangeKey(type) ? [{ expression: internalColumn(alias, rowColumn(type)), descending }] : keys;
  return cutAtKey([...asked, ...appended.filter(({ expression }) => !asked.some((term) => sameColumn(term, expression)))], keys);
}

// A listing published during paging changes its key, and must keep its position; its `#id` never changes.
function mayChangeKey({ keyGeneration }: EntityType): boolean {
  return keyGeneration?.strategy === 'sequence' && keyGeneration.acceptGeneratedPart;
}

const unordered: ReadonlySet<string> = new Set(['binary', ...shapeFamilies, 'complex']);

/** One term of an order. */
export function planOrderTerm({ expression, descending }: OrderbyItem, scope: Scope): OrderTerm {
  return { expression: checkOrderValue(expression, { ...scope, option: '$orderby', onRestricted: refuseHidden }), descending };
}

/** A value that can be ordered. */
export function checkOrderValue(expr: CommonExpr, scope: Scope): TypedExpr {
  return located(expr, () => checkOrdered(expr, scope));
}

function checkOrdered(expr: CommonExpr, scope: Scope): TypedExpr {
  refuseQuotedName(expr, scope);
  const expression = checkExpr(expr, scope);
  const family = familyOfExpr(expression);
  if (!isUntyped(expression) && family !== undefined && unordered.has(family)) {
    const type = complexOf(expression) ?? expression.type;
    throw mismatchAt(expr.at, scope, `${scope.option} cannot sort by ${printExpr(expr)}`, `: values of ${type} have no order.`);
  }
  return asJson(expression);
}

/** A property of the key as a column. */
export function keyColumn(type: EntityType, name: string, alias: string): ColumnExpr {
  const field = keyFieldOf(type, name);
  if (field === undefined) throw new Error(`The key ${name} of ${type.name} is not a property.`);
  return { kind: 'column', type: field.type, collection: false, nullable: false, alias, column: keyColumnOf(type, name) };
}

function sameColumn({ expression }: OrderTerm, column: ColumnExpr): boolean {
  return expression.kind === 'column' && expression.alias === column.alias && expression.column === column.column;
}

// Terms after a complete key have no effect.
function cutAtKey(terms: readonly OrderTerm[], keys: readonly { readonly expression: ColumnExpr }[]): readonly OrderTerm[] {
  const missing = new Set(keys.map(({ expression }) => expression.column));
  const end = terms.findIndex((term) => {
    const key = keys.find(({ expression }) => sameColumn(term, expression));
    if (key) missing.delete(key.expression.column);
    return missing.size === 0;
  });
  return end < 0 ? terms : terms.slice(0, end + 1);
}

/**
 * Rejects a quoted name in $orderby. A constant orders nothing (protocol 11.2.6.2), so one that spells a property is a
 * mistake. Other constants are accepted, since programs send `$orderby=1` or `null` for no order.
 */
function refuseQuotedName(expr: CommonExpr, scope: Scope): void {
  if (expr.kind !== 'literal' || expr.type !== 'Edm.String' || !observed(expr, 'value', (text) => beginsWithName(text, scope))) return;
  throw mismatchAt(expr.at, scope, `'${expr.value}' is a string constant, which cannot sort`, `. Write ${expr.value} without quotes.`);
}

// 'City', 'City desc', 'Address/City' and 'City,ListPrice'.
function beginsWithName(text: string, scope: Scope): boolean {
  const [name = ''] = text.trim().split(/[\s,/]/);
  const { implicit } = scope;
  if (implicit.kind !== 'record') return false;
  return (
    fieldOf(implicit.type, name) !== undefined || navigationOf(implicit.type, name) !== undefined || computedNames(scope).includes(name)
  );
}
