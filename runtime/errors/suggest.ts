/** `, did you mean X?` for the nearest known name, or a plain full stop. */
export function suggestion(name: string, known: Iterable<string>): string {
  const nearest = nearestOf(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** A model may have any number of names, and a message is not worth looking at all of them. */
const mostCandidates = 2_000;

/** CSDL's names have 128 characters at most; nothing longer was meant as one. */
const longestName = 128;

/** The known name that is nearest, if one is near. */
export function nearestOf(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const sought = name.toLowerCase();
  const limit = Math.max(1, Math.floor(name.length / 3));
  let best: { name: string; distance: number } | undefined;
  let seen = 0;
  for (const candidate of known) {
    if (++seen > mostCandidates) break;
    const distance = editDistance(sought, candidate.toLowerCase(), limit);
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Levenshtein's distance, given up once it must exceed the limit; names are cut so that the cost is bounded. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || a.length > longestName) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
    }
    if (Math.min(...current) > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
