import { type Field, primitives } from '../edm/index.js';
import type { ComplexShape, ShapeMember } from '../plan/complex-selection.js';
import { typeMember } from '../plan/value/control-information.js';
import type { ByteWriter } from './byte-writer.js';
import { cellWriter, insideText, type CellOrigin, type CellWriter } from './cell.js';
import { copyCompact, scanArray, scanObject, type Span } from './scan-json.js';
import { writeDynamic } from './dynamic-members.js';
import { type Omission, type PayloadFormat, typeAnnotation } from './payload-format.js';

/** The writer of cells that hold a complex value or a collection of them, as the database keeps them. */
export function complexWriter(shape: ComplexShape, field: Field, format: ValueFormat, origin: CellOrigin): CellWriter {
  const single = objectWriter(shape, format);
  const write = field.collection ? arrayWriter(single) : single;
  return origin === 'column' ? write : insideText(write);
}

/** How a payload is written, and which values are left out of it. */
type ValueFormat = PayloadFormat & { readonly omit?: Omission };

/** A member to write: its name with a comma in front, its type annotation, and its value. */
interface Member {
  readonly name: string;
  readonly before: string;
  /** The text for a missing value; undefined where the client prefers omission. */
  readonly nothing: string | undefined;
  readonly isOmitted: (text: string) => boolean;
  readonly write: CellWriter;
}

const letterN = 0x6e;

// The writers of a type are prepared with its first value, since types may contain themselves.
function objectWriter(shape: ComplexShape, format: ValueFormat): CellWriter {
  let members: readonly Member[] | undefined;
  const derived = new Map<string, CellWriter>();
  const derivedWriter = (name: string): CellWriter | undefined => {
    const other = derived.has(name) ? undefined : shape.derived(name);
    if (other !== undefined) derived.set(name, objectWriter(other, format));
    return derived.get(name);
  };
  return (out, source, start, end) => {
    const found = scanObject(source, start);
    const mark = found.get(typeMember);
    const name = mark && source.toString('utf8', mark.start + 2, mark.end - 1);
    const other = name === undefined || name === shape.type.qualifiedName ? undefined : derivedWriter(name);
    if (other !== undefined) return other(out, source, start, end);
    members ??= shape.members.map((member) => memberOf(member, format));
    const isShown = format.metadata === 'full' || (format.metadata === 'minimal' && mark !== undefined);
    writeObject(out, source, {
      members,
      found,
      shape,
      format,
      type: isShown ? `${JSON.stringify(typeMember)}:"#${shape.type.qualifiedName}"` : '',
    });
  };
}

function writeObject(out: ByteWriter, source: Buffer, { members, found, shape, format, type }: FoundObject): void {
  out.text(`{${type}`);
  let separator = type === '' ? '' : ',';
  for (const { name, before, nothing, isOmitted, write } of members) {
    const span = found.get(name);
    const isPresent = span !== undefined && source[span.start] !== letterN;
    if (isPresent ? isOmitted(source.toString('utf8', span.start, span.end)) : nothing === undefined) continue;
    out.text(separator + before);
    if (isPresent) write(out, source, span.start, span.end);
    else out.text(nothing ?? '');
    separator = ',';
  }
  const from = out.length;
  if (shape.open !== undefined)
    writeDynamic(out, source, found, { isDeclared: (name) => Object.hasOwn(shape.type.fields, name), shown: shape.open }, format);
  // The first member has no comma in front.
  if (separator === '' && out.length > from) out.bytes[from] = 0x20;
  out.byte(0x7d);
}

/** The state of one complex value. */
interface FoundObject {
  readonly members: readonly Member[];
  readonly found: ReadonlyMap<string, Span>;
  readonly shape: ComplexShape;
  readonly format: ValueFormat;
  readonly type: string;
}

function memberOf({ name, field, shape }: ShapeMember, format: ValueFormat): Member {
  const annotation = format.metadata === 'full' ? typeAnnotation(name, field) : undefined;
  const single = shape ? objectWriter(shape(), format) : valueWriter(field, format);
  return {
    name,
    before: `${annotation === undefined ? '' : `${annotation},`}${JSON.stringify(name)}:`,
    nothing: omitsNothing(field, format.omit) ? undefined : field.collection ? '[]' : 'null',
    isOmitted: format.omit === 'defaults' ? (text) => isDefault(field, text) : () => false,
    write: field.collection ? arrayWriter(single) : single,
  };
}

// Protocol 8.2.8.6: null where nothing else is the default, and of the defaults an empty collection too.
function omitsNothing({ collection, default: initial }: Field, omit: Omission | undefined): boolean {
  if (omit === 'nulls') return !collection;
  return omit === 'defaults' && initial === undefined;
}

function isDefault({ default: initial, collection }: Field, text: string): boolean {
  if (collection) return text === '[]';
  return initial !== undefined && (text === initial || text === JSON.stringify(initial));
}

function arrayWriter(single: CellWriter): CellWriter {
  return (out, source, start) => {
    out.byte(0x5b);
    let isFirst = true;
    scanArray(source, start, (from, to) => {
      if (!isFirst) out.byte(0x2c);
      isFirst = false;
      if (source[from] === letterN) out.text('null');
      else single(out, source, from, to);
    });
    out.byte(0x5d);
  };
}

// Values are stored as answers show them.
function valueWriter({ type, enumeration }: Field, format: PayloadFormat): CellWriter {
  if (enumeration) return cellWriter({ type, enumeration }, format, 'column');
  switch (primitives[type].cell) {
    case 'bigNumber':
      return format.ieee754Compatible ? quoted : copy;
    case 'double':
      return float;
    case 'point':
    case 'json':
      return copyCompact;
    default:
      return copy;
  }
}

const copy: CellWriter = (out, source, start, end) => out.copy(source, start, end);

const quoted: CellWriter = (out, source, start, end) => {
  out.byte(0x22);
  out.copy(source, start, end);
  out.byte(0x22);
};

/** Digits that a float can have; the database writes an exponent out in zeros. */
const floatDigits = 24;

const float: CellWriter = (out, source, start, end) => {
  if (end - start <= floatDigits) out.copy(source, start, end);
  else out.text(String(Number(source.toString('latin1', start, end))));
};
