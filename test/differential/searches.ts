import { fc } from '../support/fast-check.js';
import { searchWords } from './literals.js';
import type { Value } from './values.js';

/** The tree of a `$search`. */
export type Search =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'beginning'; readonly word: string }
  | { readonly kind: 'not'; readonly operand: Search }
  | { readonly kind: 'and' | 'or'; readonly left: Search; readonly right: Search };

const word = fc.constantFrom(...searchWords, 'ash', 'OAK', 'yew');
const words: fc.Arbitrary<Search> = fc.array(word, { minLength: 1, maxLength: 2 }).map((found) => ({ kind: 'words', words: found }));

/** Words and phrases, joined up to a depth. */
export function searches(depth: number): fc.Arbitrary<Search> {
  if (depth <= 0) return words;
  const one = searches(depth - 1);
  return fc.oneof(
    { withCrossShrink: true },
    words,
    fc
      .tuple(word, fc.nat(2))
      .map(([whole, less]): Search => ({ kind: 'beginning', word: whole.slice(0, Math.max(1, whole.length - less)) })),
    one.map((operand): Search => ({ kind: 'not', operand })),
    fc.tuple(fc.constantFrom('and' as const, 'or' as const), one, one).map(([kind, left, right]): Search => ({ kind, left, right })),
  );
}

/** The search as text of `$search`; `and` is implicit. */
export function printSearch(search: Search): string {
  switch (search.kind) {
    case 'words':
      return search.words.length > 1 ? `"${search.words.join(' ')}"` : search.words.join('');
    case 'beginning':
      return `${search.word}*`;
    case 'not':
      return `NOT (${printSearch(search.operand)})`;
    case 'and':
      return `(${printSearch(search.left)}) AND (${printSearch(search.right)})`;
    default:
      return `(${printSearch(search.left)}) OR (${printSearch(search.right)})`;
  }
}

/** Whether a text is found: a phrase is words that follow each other, in any case of letters. */
export function isFound(search: Search, text: Value): boolean {
  switch (search.kind) {
    case 'words':
      return ` ${String(text ?? '').toLowerCase()} `.includes(` ${search.words.join(' ').toLowerCase()} `);
    case 'beginning':
      return ` ${String(text ?? '').toLowerCase()}`.includes(` ${search.word.toLowerCase()}`);
    case 'not':
      return !isFound(search.operand, text);
    case 'and':
      return isFound(search.left, text) && isFound(search.right, text);
    default:
      return isFound(search.left, text) || isFound(search.right, text);
  }
}
