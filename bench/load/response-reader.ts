/** A response as it was read. */
export interface ReadResponse {
  readonly status: number;
  /** The body without its framing, in the pieces in which it came. */
  readonly body: readonly Buffer[];
  /** Bytes on the wire, header included. */
  readonly bytes: number;
}

interface Open {
  readonly status: number;
  readonly body: Buffer[];
  readonly chunked: boolean;
  /** Bytes of the body, or of the chunk and its line end, that are still to come. */
  left: number;
  bytes: number;
}

/** Reads complete responses from the bytes of a socket, one at a time, because nothing is pipelined. */
export function responseReader(onResponse: (response: ReadResponse) => void): (piece: Buffer) => void {
  let open: Open | undefined;
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    let input = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    if (open === undefined) {
      const end = input.indexOf('\r\n\r\n');
      if (end < 0) return void (rest = input);
      open = begin(input.toString('latin1', 0, end + 4));
      input = input.subarray(end + 4);
    }
    rest = open.chunked ? takeChunks(open, input) : takeBytes(open, input);
    if (open.left !== 0) return;
    const { status, body, bytes } = open;
    open = undefined;
    onResponse({ status, body, bytes });
  };
}

function begin(head: string): Open {
  const status = Number(head.slice(9, 12));
  const chunked = /\r\ntransfer-encoding: chunked\r\n/i.test(head);
  const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
  return { status, body: [], chunked, left: chunked ? -1 : length, bytes: head.length };
}

function takeBytes(open: Open, input: Buffer): Buffer {
  open.body.push(input);
  open.left -= input.length;
  open.bytes += input.length;
  return input.subarray(input.length);
}

// `left` is -1 between two chunks, and 0 after the last one.
function takeChunks(open: Open, input: Buffer): Buffer {
  let at = 0;
  while (open.left !== 0) {
    if (open.left < 0) {
      const line = input.indexOf('\r\n', at);
      if (line < 0) break;
      const size = Number.parseInt(input.toString('latin1', at, line), 16);
      if (size === 0 && input.length < line + 4) break;
      at = line + (size === 0 ? 4 : 2);
      open.left = size === 0 ? 0 : size + 2;
    } else {
      const taken = Math.min(open.left, input.length - at);
      if (taken === 0) break;
      open.body.push(input.subarray(at, at + Math.min(taken, Math.max(open.left - 2, 0))));
      at += taken;
      open.left = taken === open.left ? -1 : open.left - taken;
    }
  }
  open.bytes += at;
  return input.subarray(at);
}
