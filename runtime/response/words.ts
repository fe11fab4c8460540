/** A text that is written again and again, four bytes at a time: byte by byte it takes more than twice as long. */
export interface Words {
  readonly words: Uint32Array;
  /** In bytes. */
  readonly length: number;
}

/** What may be written behind the text itself. */
export const wordOverhang = 3;

/** Prepares a text. */
export function wordsOf(text: string): Words {
  const bytes = Buffer.from(text, 'utf8');
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  const padded = Buffer.concat([bytes], words.length * 4);
  for (const index of words.keys()) words[index] = padded.readUInt32LE(index * 4);
  return { words, length: bytes.length };
}

/** Texts side by side: a record has some sixty, and to fetch as many small arrays takes longer than to write what they hold. */
export interface WordTable {
  readonly words: Uint32Array;
  /** By text: where its words begin; the next one's beginning is their end. */
  readonly starts: Int32Array;
  /** By text, in bytes. */
  readonly lengths: Int32Array;
}

/** Puts texts side by side. */
export function wordTable(texts: readonly Words[]): WordTable {
  const starts = new Int32Array(texts.length + 1);
  for (const [index, { words }] of texts.entries()) starts[index + 1] = (starts[index] as number) + words.length; // The bounds are its own.
  const all = new Uint32Array(starts[texts.length] as number);
  for (const [index, { words }] of texts.entries()) all.set(words, starts[index]);
  return { words: all, starts, lengths: Int32Array.from(texts, ({ length }) => length) };
}

/** Writes one of the texts at `at`, and up to three bytes of nothing behind it; returns where the text ended. */
export function putWords({ words, starts, lengths }: WordTable, index: number, view: DataView, at: number): number {
  const end = starts[index + 1] as number; // The bounds are the table's.
  for (let word = starts[index] as number, to = at; word < end; word++, to += 4) view.setUint32(to, words[word] as number, true);
  return at + (lengths[index] as number);
}
