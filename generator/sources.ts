/** A text that faults can point into, and its offset among all texts of a run. */
interface SourceText {
  readonly path: string;
  readonly text: string;
  readonly start: number;
}

/** A position in a text, with line and column counted from 1. */
interface Location {
  readonly path: string;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** The texts of a run side by side, so that one number is a position in one of them. The model comes first, at 0. */
export class Sources {
  readonly #texts: SourceText[] = [];
  // The offsets of lines, computed once per text, because a bad document can have many faults.
  readonly #lines = new Map<SourceText, readonly number[]>();

  /** Adds a text and returns the offset of its first character. */
  add(path: string, text: string): number {
    const last = this.#texts.at(-1);
    const start = last === undefined ? 0 : last.start + last.text.length + 1;
    this.#texts.push({ path, text, start });
    return start;
  }

  /** The texts in the order in which they were read. */
  get texts(): readonly SourceText[] {
    return this.#texts;
  }

  /** The position of an offset. */
  locate(at: number): Location {
    const source = this.#texts.findLast(({ start }) => start <= at);
    if (source === undefined) return { path: '', text: '', line: 1, column: 1 };
    const offset = Math.min(at - source.start, source.text.length);
    const lines = this.#linesOf(source);
    const line = countUpTo(lines, offset);
    return { path: source.path, text: source.text, line, column: offset - (lines[line - 1] ?? 0) + 1 };
  }

  #linesOf(source: SourceText): readonly number[] {
    const found = this.#lines.get(source) ?? [0, ...[...source.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    this.#lines.set(source, found);
    return found;
  }
}

// The number of ascending numbers up to the limit.
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
