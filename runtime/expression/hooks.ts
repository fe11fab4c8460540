import { createHooks } from '../errors/hooks.js';
import type { SearchExpr } from './ast.js';
import type { Cursor } from './cursor.js';

interface SearchSyntax {
  /** Parses the whole value of `$search`, percent-decoded. */
  readonly parse: (text: string, option: string) => SearchExpr;
  /** Parses a search within an item or a function. The cursor is after the equals sign or parenthesis, and moves to the end of the search. */
  readonly parseInner: (cursor: Cursor) => SearchExpr;
  readonly print: (search: SearchExpr) => string;
}

/** The hooks of `expression`. */
export const expressionHooks = createHooks<{ readonly search: SearchSyntax }>();
