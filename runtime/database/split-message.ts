/** A message's type and its length (PostgreSQL manual, "Message Formats"). */
export const headerLength = 5;

/** The message that began in one chunk of a socket and goes on in the next. */
interface SplitMessage {
  /** Keeps a copy of the beginning of a message that the chunk does not hold to its end. */
  readonly hold: (piece: Buffer) => void;
  /** The message, where the chunk has its end, and the offset at which the chunk goes on. */
  readonly complete: (chunk: Buffer) => { readonly message?: Buffer; readonly end: number };
  /** Gives what is held, as it came. */
  readonly release: () => readonly Buffer[];
}

/** Joins that one message only: to join whole chunks would copy every byte of a page, and leave it to the collector. */
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

// The length counts itself, and not the type.
function messageLength(pieces: readonly Buffer[]): number {
  const [first] = pieces;
  const header = first !== undefined && first.length >= headerLength ? first : Buffer.concat(pieces);
  return 1 + header.readUInt32BE(1);
}
