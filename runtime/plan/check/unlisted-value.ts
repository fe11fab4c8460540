import { errors } from '../../errors/catalogue.js';
import { excerpt, listAdvice } from '../../errors/suggest.js';
import { observed } from '../../expression/plan-parameter.js';
import type { CommonExpr } from '../../expression/ast.js';
import { printExpr } from '../../expression/print.js';
import type { Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';

/** The property and the literal as written. */
interface Compared {
  readonly shown: CommonExpr;
  readonly literal: CommonExpr | undefined;
}

/**
 * Advises against a literal that the closed list of a property lacks. It is no error: records from before a change of the
 * list may have the value, and a client may ask several services the same question.
 */
export function adviseUnlisted(property: TypedExpr, value: TypedExpr, { shown, literal }: Compared, { advice, option }: Scope): void {
  const allowed = listOf(property);
  if (!advice || !allowed || value.kind !== 'literal' || value.nullable) return;
  if (value.type !== 'Edm.String' || observed(value, 'value', (text) => allowed.includes(text))) return;
  const text = value.value ?? '';
  advice.push(errors.invalidValue(excerpt(text), printExpr(shown), listAdvice(allowed, text)).at(option).in(literal));
}

function listOf(expr: TypedExpr): readonly string[] | undefined {
  if (expr.kind === 'related') return listOf(expr.value);
  return expr.kind === 'column' || expr.kind === 'path' ? expr.allowedValues : undefined;
}
