import { planHooks } from '../../plan/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { registerSearchSyntax } from './parse-search.js';
import { isSearchable, planItemSearch, planSearch } from './plan-search.js';
import { searchWords } from '../../schema/search-words.js';
import type { SearchExpr } from '../../expression/ast.js';
import { StatementBuilder, columnReference } from '../../sql/builder.js';
import { compileValue } from '../../sql/compile-expr.js';
import type { TypedExpr } from '../../plan/typed-expr.js';

/** Registers `$search`. */
export function registerSearch(): void {
  registerSearchSyntax();
  planHooks.register({ search: { plan: planSearch, planItems: planItemSearch, isSearchable } });
  sqlHooks.register({ compileSearch });
}

type Search = Extract<TypedExpr, { kind: 'search' }>;

/** A search as a match of the words column with its GIN index, or of a text's words. */
function compileSearch({ words, query }: Search, builder: StatementBuilder): string {
  const searched =
    'alias' in words ? columnReference(words.alias, '#search') : `(${searchWords([{ sql: compileValue(words.text, builder) }])})`;
  return `(${searched} @@ ${compileQuery(query, builder)})`;
}

// A word with trailing stars is a prefix.
const beginning = /^(.*?[^*])\*+$/;

// The query for the words of a text, whose last one becomes a prefix; without words nothing matches.
function compileTerm({ text, phrase }: Extract<SearchExpr, { kind: 'term' }>, builder: StatementBuilder): string {
  const begun = phrase ? undefined : beginning.exec(text)?.[1];
  if (begun === undefined) return `phraseto_tsquery('simple', ${builder.bind(text, 'text')})`;
  // The parts of a hyphenated word are words as well, and the whole has another ending than the part.
  const words = `phraseto_tsquery('simple', ${builder.bind(begun.replaceAll('-', ' '), 'text')})::text`;
  return `coalesce((nullif(${words}, '') || ':*')::tsquery, '')`;
}

// PostgreSQL splits a term like the text, so a hyphenated word matches as a phrase.
function compileQuery(query: SearchExpr, builder: StatementBuilder): string {
  switch (query.kind) {
    case 'term':
      return compileTerm(query, builder);
    case 'not':
      return `(!! ${compileQuery(query.operand, builder)})`;
    case 'and':
      return `(${query.operands.map((operand) => compileQuery(operand, builder)).join(' && ')})`;
    case 'or':
      return `(${query.operands.map((operand) => compileQuery(operand, builder)).join(' || ')})`;
  }
}
