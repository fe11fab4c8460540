/** A recurring text, written four bytes at a time, which takes less than half the time of single bytes. */
export interface Words {
  readonly words: Uint32Array;
  /** In bytes. */
  readonly length: number;
}

/** The number of bytes that may be written after the text. */
export const wordOverhang = 3;

/** Prepares a text. */
export function wordsOf(text: string): Words {
  const bytes = Buffer.from(text, 'utf8');
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  const padded = Buffer.concat([bytes], words.length * 4);
  for (const index of words.keys()) words[index] = padded.readUInt32LE(index * 4);
  return { words, length: bytes.length };
}

/**
 * Texts side by side: an entity has some sixty, and fetching as many small arrays takes longer than writing their
 * content.
 */
export interface WordTable {
  readonly words: Uint32Array;
  /** The offset of each text's words; the next offset is their end. */
  readonly starts: Int32Array;
  /** The bytes of each text. */
  readonly lengths: Int32Array;
}

/** Puts texts side by side. */
export function wordTable(texts: readonly Words[]): WordTable {
  const starts = new Int32Array(texts.length + 1);
  for (const [index, { words }] of texts.entries()) starts[index + 1] = (starts[index] as number) + words.length; // The index is within the array.
  const all = new Uint32Array(starts[texts.length] as number);
  for (const [index, { words }] of texts.entries()) all.set(words, starts[index]);
  return { words: all, starts, lengths: Int32Array.from(texts, ({ length }) => length) };
}

/** Writes a text at `at`, and up to three bytes after it; returns the end of the text. */
export function putWords({ words, starts, lengths }: WordTable, index: number, view: DataView, at: number): number {
  const end = starts[index + 1] as number; // The index is within the table.
  for (let word = starts[index] as number, to = at; word < end; word++, to += 4) view.setUint32(to, words[word] as number, true);
  return at + (lengths[index] as number);
}
