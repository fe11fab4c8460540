/** A text that `$search` looks into, as SQL, and how long it may be. */
interface SearchedText {
  readonly sql: string;
  readonly maxLength?: number;
}

/** A text that may be longer is cut: a tsvector holds a megabyte of words, and a write must not fail for that. */
const searchedCharacters = 10_000;

/** The words of texts as SQL; a lexeme that no text has keeps a phrase from reaching over the end of one of them into the next. */
export function searchWords(texts: readonly SearchedText[]): string {
  return texts.map(wordsOf).join(` || '''#'':1'::tsvector || `);
}

// The configuration is named, since the expression of a stored column must not depend on a setting.
function wordsOf({ sql, maxLength = Infinity }: SearchedText): string {
  return `to_tsvector('simple', coalesce(${maxLength > searchedCharacters ? `left(${sql}, ${searchedCharacters})` : sql}, ''))`;
}
