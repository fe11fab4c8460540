import { type CellKind, type EnumType, type Field, primitives } from '../edm/index.js';
import { enumText } from '../expression/enum-members.js';
import { parseArrayLiteral } from '../store/stored-record.js';
import { ByteWriter } from './byte-writer.js';
import { durationText } from '../json/duration.js';
import { copyCompact } from './scan-json.js';
import type { PayloadFormat } from './payload-format.js';
import { neverPlain, type PlainCell, plainCells, plainRoom, quotedCell, stringsCells } from './plain-cells.js';

/** Writes the cell in `source` from `start` to `end` as JSON, without creating numbers, dates or model instances. */
export type CellWriter = (out: ByteWriter, source: Buffer, start: number, end: number) => void;

/** A column's cell is plain text, one inside an expansion the inside of a JSON string. */
export type CellOrigin = 'column' | 'json';

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

// Cells that cannot be written in place go to `other`.
function inPlace(plain: PlainCell, other: CellWriter): CellWriter {
  return (out, source, start, end) => {
    out.ensure(end - start + plainRoom);
    const written = plain(source, start, end, out.bytes, out.length);
    if (written < 0) other(out, source, start, end);
    else out.length = written;
  };
}

const escaped: CellWriter = (out, source, start, end) => {
  out.ensure((end - start) * 6 + 2);
  const target = out.bytes;
  let length = out.length;
  target[length++] = quote;
  for (let at = start; at < end; at++) {
    const byte = source[at] ?? 0;
    if (byte >= firstPrintable && byte !== quote && byte !== backslash) target[length++] = byte;
    else length += target.write(escapeOf(byte), length, 'latin1');
  }
  target[length++] = quote;
  out.length = length;
};

function escapeOf(byte: number): string {
  return JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
}

const specialNumber: CellWriter = (out, source, start, end) => {
  const text = source.toString('latin1', start, end);
  out.text(specialNumbers[text] ?? text);
};

const specialNumbers: { readonly [text: string]: string | undefined } = { Infinity: '"INF"', '-Infinity': '"-INF"', NaN: '"NaN"' };

const letterI = 0x49;
const letterN = 0x4e;
const minus = 0x2d;

/** Whether a cell of a floating number is `Infinity`, `-Infinity` or `NaN`. */
export function isSpecialNumber(source: Buffer, start: number): boolean {
  const first = source[source[start] === minus ? start + 1 : start];
  return first === letterI || first === letterN;
}

const duration: CellWriter = (out, source, start, end) => {
  out.text(`"${durationText(source.toString('latin1', start, end))}"`);
};

// `\x0aff`, with a doubled backslash inside an expansion.
const binary: CellWriter = (out, source, start, end) => {
  const text = source.toString('latin1', start, end);
  out.text(`"${Buffer.from(text.slice(text.indexOf('x') + 1), 'hex').toString('base64url')}"`);
};

/** The writers of kinds that are not always written in place. */
const writers: { readonly [Kind in CellKind]?: CellWriter } = {
  string: escaped,
  double: specialNumber,
  duration,
  binary,
  json: copyCompact,
  // In stored form; answers use `complexWriter`.
  complex: copyCompact,
};

const impossible: CellWriter = () => {
  throw new Error('A cell is of a kind that has no writer.');
};

// Names of members need no JSON escapes.
function enumerated(type: EnumType): CellWriter {
  return (out, source, start, end) => out.text(`"${enumText(type, source.toString('latin1', start, end))}"`);
}

/** The writer of a property's cells. */
export function cellWriter(field: Field, format: PayloadFormat, origin: CellOrigin): CellWriter {
  const { cell } = primitives[field.type];
  if (cell === 'json') return origin === 'column' ? copyCompact : insideText(copyCompact);
  const plain = plainCell(field, format, origin);
  if (field.collection) return inPlace(plain, collection(elementWriter(field, format), origin));
  return inPlace(plain, field.enumeration ? enumerated(field.enumeration) : (writers[cell] ?? impossible));
}

function elementWriter(field: Field, format: PayloadFormat): CellWriter {
  const { collection: _, ...element } = field;
  return cellWriter(element, format, 'column');
}

/** The in-place writer of a property's cells, if there is one. */
export function plainCell(field: Field, { ieee754Compatible }: PayloadFormat, origin: CellOrigin): PlainCell {
  const { type, collection: isCollection, enumeration } = field;
  const { cell } = primitives[type];
  if (enumeration) return neverPlain;
  if (isCollection) return cell === 'string' ? stringsCells[origin] : neverPlain;
  // The inside of a JSON string is already escaped.
  const isQuoted = (cell === 'bigNumber' && ieee754Compatible) || (cell === 'string' && origin === 'json');
  return isQuoted ? quotedCell : (plainCells[cell] ?? neverPlain);
}

function collection(single: CellWriter, origin: CellOrigin): CellWriter {
  return (out, source, start, end) => {
    const text = source.toString('utf8', start, end);
    out.byte(0x5b);
    for (const [index, element] of parseArrayLiteral(origin === 'json' ? unescaped(text) : text).entries()) {
      if (index > 0) out.byte(0x2c);
      if (element === null) {
        out.text('null');
        continue;
      }
      const bytes = Buffer.from(element, 'utf8');
      single(out, bytes, 0, bytes.length);
    }
    out.byte(0x5d);
  };
}

/** Writes the inside of a JSON string that contains JSON. */
export function insideText(write: CellWriter): CellWriter {
  return (out, source, start, end) => {
    const bytes = Buffer.from(unescaped(source.toString('utf8', start, end)), 'utf8');
    write(out, bytes, 0, bytes.length);
  };
}

/** Unescapes the inside of a JSON string. */
export function unescaped(inside: string): string {
  return JSON.parse(`"${inside}"`) as string;
}

const plain: PayloadFormat = { metadata: 'none', ieee754Compatible: false, streaming: false, version: '4.01' };

/** The text of a single cell without JSON's quotes, as in `/$value` and keys. */
export function plainText(field: Field, text: string): string {
  const { cell } = primitives[field.type];
  if (field.enumeration) return enumText(field.enumeration, text);
  if (cell === 'string' || cell === 'number' || cell === 'bigNumber') return text;
  const out = new ByteWriter(Buffer.allocUnsafe(64));
  const bytes = Buffer.from(text, 'utf8');
  cellWriter(field, plain, 'column')(out, bytes, 0, bytes.length);
  return out.finished().toString('utf8').replace(/^"|"$/g, '');
}
