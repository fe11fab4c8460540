/** ` Did you mean X?` for the nearest known name; empty where none is near. */
export function suggestion(name: string, known: Iterable<string>): string {
  const nearest = nearestOf(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** The values of a list, as the end of a message. */
export function listAdvice(values: readonly string[], text: string, several = ''): string {
  const meant = nearestOf(text, values);
  const shown = values.slice(0, mostShown).join(', ') + (values.length > mostShown ? ` and ${values.length - mostShown} more` : '');
  return `: the values are ${shown}${several}${meant === undefined ? '' : `; you may mean ${meant}`}`;
}

const mostShown = 12;

/** The number of candidates that are compared: a model may have any number of names. */
const mostCandidates = 2_000;

/** CSDL limits names to 128 characters; longer input is compared with nothing. */
const longestName = 128;

/** The known name nearest to the given one, within a limit. */
export function nearestOf(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const sought = name.toLowerCase();
  // A namespace or a path in common makes no names similar.
  let limit = Math.max(1, Math.floor((name.split(/[./]/).at(-1) ?? name).length / 3));
  let nearest: string | undefined;
  let seen = 0;
  for (const candidate of known) {
    if (++seen > mostCandidates) break;
    // Clients cannot name it.
    if (/^[~#]/.test(candidate)) continue;
    const distance = editDistance(sought, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    nearest = candidate;
    // Another one must be nearer.
    limit = distance - 1;
  }
  return nearest;
}

/** The Damerau–Levenshtein distance of two names, given up beyond the limit; long names are cut to bound the cost. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || a.length > longestName) return limit + 1;
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : limit + 1;
      current[j] = Math.min(substitution, swap, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
    }
    // A swap from the row before cannot be shorter than an omission.
    if (Math.min(...current) > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}

/** An excerpt of the client's text, short enough for a message. */
export function excerpt(text: string, most = 40): string {
  // A character has at most two code units.
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length > most ? `${characters.slice(0, most).join('')}...` : text;
}

const longest = { word: 256, text: 2_000 } as const;

/** A text of an error, in which names and values of the client that no model could have are cut. */
export function shortened(text: string): string {
  if (text.length <= longest.word) return text;
  const short = text.replace(overlongWord, (word) => `${[...word].slice(0, longest.word).join('')}...`);
  return short.length > longest.text ? `${[...short].slice(0, longest.text).join('')}...` : short;
}

const overlongWord = new RegExp(`\\S{${longest.word + 1},}`, 'gu');

/** The name of a type in lower-case words: `ByMoment` is "by moment". */
export function displayName(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase();
}

/** A name with its indefinite article: a Book, an Author, a Unit. */
export function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) && !beginsLikeYou.test(name) ? 'an' : 'a'} ${name}`;
}

const beginsLikeYou = /^(?:eu|one|uni|us[aei]|uti)/i;
