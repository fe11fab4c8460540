import { columnOf, fieldOf, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { OrderbyItem } from '../uri/query-options.js';
import { familyOfExpr } from './check-call.js';
import { checkExpr } from './check-expr.js';
import type { OrderTerm } from './read-plan.js';
import type { Scope } from './scope.js';
import type { ColumnExpr } from './typed-expr.js';

/** The order as asked, made total with the key, so that paging never skips or repeats a record. */
export function planOrder(items: readonly OrderbyItem[] | undefined, type: EntityType, alias: string, scope: Scope): readonly OrderTerm[] {
  const asked = (items ?? []).map((item) => planItem(item, scope));
  const descending = asked.at(-1)?.descending ?? false;
  const keys = type.key.map((name) => ({ expression: keyColumn(type, name, alias), descending }));
  return cutAtKey([...asked, ...keys.filter(({ expression }) => !asked.some((term) => sameColumn(term, expression)))], keys);
}

const unordered: ReadonlySet<string> = new Set(['binary', 'point', 'polygon', 'line']);

function planItem(item: OrderbyItem, scope: Scope): OrderTerm {
  const expression = checkExpr(item.expression, { ...scope, option: '$orderby', onRestricted: refuse });
  const family = familyOfExpr(expression);
  if (family !== undefined && unordered.has(family)) {
    throw errors.typeMismatch(`$orderby cannot sort by that value, at position ${item.expression.at + 1}: it has no order.`).at('$orderby');
  }
  return { expression, descending: item.descending };
}

// Sorting would show the order of values that the caller must not see.
function refuse(name: string): never {
  throw errors.notPermitted(name).at(name);
}

function keyColumn(type: EntityType, name: string, alias: string): ColumnExpr {
  const field = fieldOf(type, name);
  if (field === undefined) throw new Error(`The key ${name} of ${type.name} is no property.`);
  return { kind: 'column', type: field.type, collection: false, nullable: false, alias, column: columnOf(type, name) };
}

function sameColumn({ expression }: OrderTerm, column: ColumnExpr): boolean {
  return expression.kind === 'column' && expression.alias === column.alias && expression.column === column.column;
}

// What comes after a whole key decides nothing.
function cutAtKey(terms: readonly OrderTerm[], keys: readonly { readonly expression: ColumnExpr }[]): readonly OrderTerm[] {
  const missing = new Set(keys.map(({ expression }) => expression.column));
  const end = terms.findIndex((term) => {
    const key = keys.find(({ expression }) => sameColumn(term, expression));
    if (key) missing.delete(key.expression.column);
    return missing.size === 0;
  });
  return end < 0 ? terms : terms.slice(0, end + 1);
}
