/** Copies one cell of the wire into the answer as JSON, and returns where it ended. */
export type CellBytes = (source: Buffer, from: number, to: number, target: Buffer, at: number) => number;

const quote = 0x22;
const backslash = 0x5c;
const hex = Buffer.from('0123456789abcdef');
const words = {
  null: Buffer.from('null'),
  true: Buffer.from('true'),
  false: Buffer.from('false'),
  sqlNull: Buffer.from('NULL'),
  unicode: Buffer.from('u00'),
  pointStart: Buffer.from('{"type":"Point","coordinates":['),
  pointEnd: Buffer.from(']}'),
};

/** The writer of a column, by the type's number in PostgreSQL's catalogue; text is the rule. */
export function cellBytes(oid: number): CellBytes {
  return byOid[oid] ?? text;
}

/** Appends a few bytes, for which a call out of JavaScript would cost more than they do; returns where they end. */
export function copyBytes(source: Buffer, target: Buffer, at: number): number {
  for (let index = 0; index < source.length; index += 1) target[at + index] = source[index] as number;
  return at + source.length;
}

/** JSON's null. */
export function nullBytes(target: Buffer, at: number): number {
  return copyBytes(words.null, target, at);
}

const raw: CellBytes = (source, from, to, target, at) => {
  if (to - from > 48) {
    source.copy(target, at, from, to);
    return at + to - from;
  }
  let end = at;
  for (let index = from; index < to; index += 1) target[end++] = source[index] ?? 0;
  return end;
};

const quoted: CellBytes = (source, from, to, target, at) => {
  target[at] = quote;
  const end = raw(source, from, to, target, at + 1);
  target[end] = quote;
  return end + 1;
};

const text: CellBytes = (source, from, to, target, at) => {
  target[at] = quote;
  const end = escaped(source, from, to, target, at + 1);
  target[end] = quote;
  return end + 1;
};

const boolean: CellBytes = (source, from, _to, target, at) => copyBytes(source[from] === 0x74 ? words.true : words.false, target, at);

// The session runs in UTC: `2024-05-01 12:30:00+00` becomes `2024-05-01T12:30:00Z`.
const timestamp: CellBytes = (source, from, to, target, at) => {
  const end = quoted(source, from, to - 2, target, at);
  target[at + 11] = 0x54;
  target[end - 2] = 0x5a;
  return end;
};

const point: CellBytes = (source, from, to, target, at) => {
  const start = copyBytes(words.pointStart, target, at);
  return copyBytes(words.pointEnd, target, raw(source, from + 1, to - 1, target, start));
};

// `{plain,"with \"quotes\""}`: inside quotes PostgreSQL escapes what JSON escapes, in the same way.
const textArray: CellBytes = (source, from, to, target, at) => {
  let end = at;
  target[end++] = 0x5b;
  for (let index = from + 1; index < to - 1;) {
    const close = elementEnd(source, index, to - 1);
    const isQuoted = source[index] === quote;
    end = isQuoted ? quotedElement(source, index, close, target, end) : plainElement(source, index, close, target, end);
    index = close;
    if (source[index] === 0x2c) target[end++] = source[index++] ?? 0;
  }
  target[end++] = 0x5d;
  return end;
};

function elementEnd(source: Buffer, from: number, to: number): number {
  if (source[from] !== quote) {
    const comma = source.indexOf(0x2c, from);
    return comma < 0 || comma > to ? to : comma;
  }
  let index = from + 1;
  while (source[index] !== quote) index += source[index] === backslash ? 2 : 1;
  return index + 1;
}

// Only control characters differ; with them the element is longer by its escapes.
const quotedElement: CellBytes = (source, from, to, target, at) => {
  let end = at;
  for (let index = from; index < to; index += 1) {
    const byte = source[index] ?? 0;
    if (byte < 0x20) end = escapedByte(byte, target, end);
    else target[end++] = byte;
  }
  return end;
};

const plainElement: CellBytes = (source, from, to, target, at) => {
  if (source.compare(words.sqlNull, 0, 4, from, to) === 0) return copyBytes(words.null, target, at);
  return text(source, from, to, target, at);
};

const escaped: CellBytes = (source, from, to, target, at) => {
  let end = at;
  for (let index = from; index < to; index += 1) {
    const byte = source[index] ?? 0;
    if (byte >= 0x20 && byte !== quote && byte !== backslash) target[end++] = byte;
    else end = escapedByte(byte, target, end);
  }
  return end;
};

function escapedByte(byte: number, target: Buffer, at: number): number {
  let end = at;
  target[end++] = backslash;
  if (byte === quote || byte === backslash) target[end++] = byte;
  else {
    end = copyBytes(words.unicode, target, end);
    target[end++] = hex[byte >> 4] ?? 0;
    target[end++] = hex[byte & 15] ?? 0;
  }
  return end;
}

// oxfmt-ignore
const byOid: { readonly [oid: number]: CellBytes | undefined } = {
  16: boolean,
  20: raw, 21: raw, 23: raw, 700: raw, 701: raw, 1700: raw,
  114: raw, 3802: raw,
  600: point,
  1082: quoted,
  1184: timestamp,
  1009: textArray, 1015: textArray,
};
