import { fieldOf, navigationOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr } from '../../expression/ast.js';
import { observed } from '../../expression/plan-parameter.js';
import { computedNames, type Scope } from '../scope.js';

/**
 * Rejects a quoted name in $orderby. A constant orders nothing (protocol 11.2.6.2), so one that spells a property is a
 * mistake. Other constants are accepted, since programs send `$orderby=1` or `null` for no order.
 */
export function refuseQuotedName(expr: CommonExpr, scope: Scope): void {
  if (expr.kind !== 'literal' || expr.type !== 'Edm.String' || !observed(expr, 'value', (text) => beginsWithName(text, scope))) return;
  throw errors
    .typeMismatch(
      `'${expr.value}' is a string constant, which cannot sort, at position ${expr.at + 1}. Write ${expr.value} without quotes.`,
    )
    .at(scope.option);
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
