/** The type and the length of a message (PostgreSQL manual, "Message Formats"). */
export const headerLength = 5;

/** A message that spans two chunks of a socket or more. */
interface SplitMessage {
  /** Stores a copy of an incomplete message at the end of a chunk. */
  readonly hold: (piece: Buffer) => void;
  /** The message, if the chunk completes it, and the offset after it. */
  readonly complete: (chunk: Buffer) => { readonly message?: Buffer; readonly end: number };
  /** Returns the stored bytes. */
  readonly release: () => readonly Buffer[];
}

/** Joins only the split message: joining whole chunks would copy every byte of a page. */
export function splitMessage(): SplitMessage {
  let pieces: Buffer[] = [];
  let held = 0;
  const hold = (piece: Buffer): void => {
    pieces.push(Buffer.from(piece));
    held += piece.length;
  };
  const release = (): readonly Buffer[] => {
    const released = pieces;
    pieces = [];
    held = 0;
    return released;
  };
  return {
    hold,
    release,
    complete: (chunk) => {
      if (held === 0) return { end: 0 };
      const begin = Math.max(0, Math.min(headerLength - held, chunk.length));
      if (begin > 0) hold(chunk.subarray(0, begin));
      if (held < headerLength) return { end: chunk.length };
      const end = begin + messageLength(pieces) - held;
      if (end <= chunk.length) return { message: Buffer.concat([...release(), chunk.subarray(begin, end)]), end };
      hold(chunk.subarray(begin));
      return { end: chunk.length };
    },
  };
}

// The length includes itself, but not the type.
function messageLength(pieces: readonly Buffer[]): number {
  const [first] = pieces;
  const header = first !== undefined && first.length >= headerLength ? first : Buffer.concat(pieces);
  return 1 + header.readUInt32BE(1);
}
