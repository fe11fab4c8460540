/** A statement of the floor, with the messages that make it known. */
export interface FloorStatement {
  readonly name: string;
  readonly parse: Buffer;
  readonly describe: Buffer;
  /** Bind up to the values: portal, name, text format. */
  readonly bindStart: Buffer;
}

/** A statement under a name; without one PostgreSQL plans it each time, which pays where the plan depends on the values. */
export function floorStatement(name: string, text: string): FloorStatement {
  return {
    name,
    parse: message('P', `${name}\0${text}\0\0\0`),
    describe: message('D', `S${name}\0`),
    bindStart: Buffer.from(`\0${name}\0\0\0`),
  };
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

const executeAndSync = Buffer.concat([message('E', '\0\0\0\0\0'), message('S', '')]);

/** Binds values to a statement, executes it and asks for the end of the transaction, in one piece. */
export function bindAndExecute({ bindStart }: FloorStatement, values: readonly string[]): Buffer {
  const bodyLength = 4 + bindStart.length + 2 + values.reduce((sum, value) => sum + 4 + Buffer.byteLength(value), 0) + 2;
  const bytes = Buffer.allocUnsafe(1 + bodyLength + executeAndSync.length);
  bytes[0] = 0x42;
  bytes.writeInt32BE(bodyLength, 1);
  bindStart.copy(bytes, 5);
  let at = bytes.writeInt16BE(values.length, 5 + bindStart.length);
  for (const value of values) {
    const written = bytes.write(value, at + 4);
    bytes.writeInt32BE(written, at);
    at += 4 + written;
  }
  at = bytes.writeInt16BE(0, at);
  executeAndSync.copy(bytes, at);
  return bytes;
}

/** The text of an ErrorResponse message. */
export function errorText(body: Buffer): string {
  const fields = body.toString('utf8').split('\0');
  return fields
    .filter((field) => /^[CMDW]/.test(field))
    .map((field) => field.slice(1))
    .join(' ');
}
