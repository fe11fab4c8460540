/** A text that `$search` covers, as SQL, and its maximum length. */
interface SearchedText {
  readonly sql: string;
  readonly maxLength?: number;
}

/** The length at which a text is cut: a tsvector holds a megabyte, and a write must not fail for that. */
const searchedCharacters = 10_000;

/** The tsvector of texts as SQL; a separator lexeme keeps a phrase from matching across two texts. */
export function searchWords(texts: readonly SearchedText[]): string {
  return texts.map(wordsOf).join(` || '''#'':1'::tsvector || `);
}

// The configuration is named, since the expression of a stored column must not depend on a setting.
function wordsOf({ sql, maxLength = Infinity }: SearchedText): string {
  return `to_tsvector('simple', coalesce(${maxLength > searchedCharacters ? `left(${sql}, ${searchedCharacters})` : sql}, ''))`;
}
