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

/** Writes the text at `at`, and up to three bytes of nothing behind it; returns where the text ended. */
export function putWords({ words, length }: Words, view: DataView, at: number): number {
  for (let index = 0; index < words.length; index++) view.setUint32(at + index * 4, words[index] as number, true); // The bound is its length.
  return at + length;
}
