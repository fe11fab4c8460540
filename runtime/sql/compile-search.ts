import { unreachable } from '../errors/unreachable.js';
import type { SearchExpr } from '../expression/ast.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import { columnReference, type StatementBuilder } from './builder.js';

/** A search as a match of the words column, which its GIN index serves. */
export function compileSearch({ alias, query }: Extract<TypedExpr, { kind: 'search' }>, builder: StatementBuilder): string {
  return `(${columnReference(alias, '#search')} @@ ${compileQuery(query, builder)})`;
}

// PostgreSQL splits a term as it split the text, so a word with a hyphen in it is found as the phrase that it became.
function compileQuery(query: SearchExpr, builder: StatementBuilder): string {
  switch (query.kind) {
    case 'term':
      return `phraseto_tsquery('simple', ${builder.bind(query.text, 'text')})`;
    case 'not':
      return `(!! ${compileQuery(query.operand, builder)})`;
    case 'and':
      return `(${query.operands.map((operand) => compileQuery(operand, builder)).join(' && ')})`;
    case 'or':
      return `(${query.operands.map((operand) => compileQuery(operand, builder)).join(' || ')})`;
    default:
      return unreachable(query);
  }
}
