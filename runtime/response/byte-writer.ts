import { viewOf } from '../database/data-view.js';
import { giveBack, takeLarger, takeRoom, type Room } from './payload-buffers.js';

/** Collects the bytes of a payload; grows as needed, and is written to from bytes without a string between. */
export class ByteWriter {
  bytes: Buffer;
  /** The same bytes, where several are written at once. */
  view: DataView;
  length = 0;

  constructor(bytes: Buffer, view = viewOf(bytes)) {
    this.bytes = bytes;
    this.view = view;
  }

  /** Makes room for that many more bytes; `bytes` may be another buffer afterwards. */
  ensure(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const before = this.bytes;
    const { bytes, view } = takeLarger(before, this.length + count);
    before.copy(bytes, 0, 0, this.length);
    this.bytes = bytes;
    this.view = view;
    giveBack(before);
  }

  text(text: string): void {
    this.ensure(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }

  byte(byte: number): void {
    this.ensure(1);
    this.bytes[this.length++] = byte;
  }

  /** Short runs are copied here: a call into the runtime costs more than they do. */
  copy(source: Buffer, start: number, end: number): void {
    const count = end - start;
    this.ensure(count);
    const target = this.bytes;
    let to = this.length;
    if (count > 40) source.copy(target, to, start, end);
    else for (let from = start; from < end; from++) target[to++] = source[from] as number; // The bounds are the caller's.
    this.length += count;
  }

  /** Gives what was written away, and goes on in another room. */
  continueIn({ bytes, view }: Room): Buffer {
    const taken = this.finished();
    this.bytes = bytes;
    this.view = view;
    this.length = 0;
    return taken;
  }

  /** Everything written so far. */
  finished(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** Opens writers of payloads that are alike, with the room that the last ones took: to grow is to copy. */
export interface AlikeWriters {
  readonly open: () => ByteWriter;
  /** To be called when a payload is whole. */
  readonly note: (out: ByteWriter) => void;
}

/** The writers of one plan's payloads. */
export function alikeWriters(): AlikeWriters {
  let expected = 4096;
  return {
    open: () => {
      const { bytes, view } = takeRoom(expected);
      return new ByteWriter(bytes, view);
    },
    // A little room beyond it; one that was much larger than the others is forgotten.
    note: ({ length }) => void (expected = Math.max(Math.ceil(length * 1.1), Math.floor(expected * 0.9))),
  };
}
