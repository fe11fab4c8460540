/** Bytes of an answer while they are written; it grows, and is handed to the response without a copy. */
export interface RowBuffer {
  bytes: Buffer;
  length: number;
}

/** An empty buffer with room for an answer of the expected size. */
export function rowBuffer(expected: number): RowBuffer {
  return { bytes: Buffer.allocUnsafe(Math.max(expected, 4_096)), length: 0 };
}

/** Makes room for so many bytes more. */
export function reserve(buffer: RowBuffer, more: number): void {
  if (buffer.length + more <= buffer.bytes.length) return;
  const grown = Buffer.allocUnsafe(Math.max(buffer.bytes.length * 2, buffer.length + more));
  buffer.bytes.copy(grown, 0, 0, buffer.length);
  buffer.bytes = grown;
}

/** Writes text that is known to be ASCII, as punctuation is. */
export function writeAscii(buffer: RowBuffer, text: string): void {
  reserve(buffer, text.length);
  buffer.length += buffer.bytes.write(text, buffer.length, 'latin1');
}
