import { unreachable } from '../errors/unreachable.js';
import type { SearchExpr } from '../expression/ast.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import { searchWords } from '../schema/search-words.js';
import { columnReference, type StatementBuilder } from './builder.js';

type Search = Extract<TypedExpr, { kind: 'search' }>;

/** A search as a match of the words column, which its GIN index serves, or of the words of a text that is compiled for it. */
export function compileSearch({ words, query }: Search, builder: StatementBuilder, compileText: (text: TypedExpr) => string): string {
  const searched = 'alias' in words ? columnReference(words.alias, '#search') : `(${searchWords([{ sql: compileText(words.text) }])})`;
  return `(${searched} @@ ${compileQuery(query, builder)})`;
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
