import type { Selected } from '../plan/complex-selection.js';
import type { Selection } from '../plan/read-plan.js';
import { typeMember } from '../plan/value/control-information.js';
import { cellsOf } from '../sql/record-cells.js';
import type { ByteWriter } from './byte-writer.js';
import { unescaped, type CellOrigin } from './cell.js';
import type { PayloadFormat } from './payload-format.js';
import type { MembersWriter } from './record-format.js';
import { scanArray, scanObject, type Span } from './scan-json.js';

/** The dynamic properties of a value: the stored members and their selection. */
interface DynamicMembers {
  readonly isDeclared: (name: string) => boolean;
  readonly shown: Selected;
}

/** Writes dynamic properties with a comma before each, and their types where JSON does not imply them. */
export function writeDynamic(
  out: ByteWriter,
  source: Buffer,
  found: ReadonlyMap<string, Span>,
  { isDeclared, shown }: DynamicMembers,
  format: PayloadFormat,
): void {
  for (const [name, { start, end }] of found) {
    if (name.includes('@') || isDeclared(name) || (shown !== 'all' && !shown.has(name))) continue;
    const type = found.get(`${name}${typeMember}`);
    if (type && format.metadata !== 'none') {
      out.text(`,${JSON.stringify(`${name}${typeMember}`)}:`);
      out.copy(source, type.start, type.end);
    }
    out.text(`,${JSON.stringify(name)}:`);
    const isExact =
      format.ieee754Compatible && type && exact.has(source.toString('latin1', type.start, type.end)) && source[start] !== 0x22;
    if (isExact) out.byte(0x22);
    writeValue(out, source, { start, end }, format);
    if (isExact) out.byte(0x22);
  }
}

/** Writes a dynamic property, with control information in its place. */
export function writeValue(out: ByteWriter, source: Buffer, { start, end }: Span, format: PayloadFormat): void {
  if (source[start] === openBracket) {
    out.byte(openBracket);
    let separator = '';
    scanArray(source, start, (from, to) => {
      out.text(separator);
      separator = ',';
      writeValue(out, source, { start: from, end: to }, format);
    });
    return out.byte(closeBracket);
  }
  if (source[start] !== openBrace) return out.copy(source, start, end);
  const members = [...scanObject(source, start)].filter(([name]) => format.metadata !== 'none' || !name.includes('@'));
  let separator = '{';
  for (const [name, span] of members.toSorted(byPlace)) {
    out.text(`${separator}${JSON.stringify(name)}:`);
    separator = ',';
    writeValue(out, source, span, format);
  }
  out.text(members.length === 0 ? '{}' : '}');
}

// Control information of an object comes first in it, and that of a property in front of it (JSON format 4.5); the database keeps no order of members.
function byPlace([a]: Member, [b]: Member): number {
  const [own, other] = [ownerOf(a), ownerOf(b)];
  if (own === other) return Number(b.includes('@')) - Number(a.includes('@'));
  return own === '' || other === '' ? Number(other === '') - Number(own === '') : own < other ? -1 : 1;
}

type Member = readonly [name: string, span: Span];

function ownerOf(name: string): string {
  const at = name.indexOf('@');
  return at < 0 ? name : name.slice(0, at);
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;

// Numbers that JavaScript would not hold (JSON format 3.2).
const exact: ReadonlySet<string> = new Set(['"#Int64"', '"#Decimal"']);

/** Writes the dynamic properties of the records of an open type. */
export function openStep(selection: Selection, shown: Selected, format: PayloadFormat, origin: CellOrigin): MembersWriter {
  const at = cellsOf(selection).open;
  const members: DynamicMembers = { isDeclared: () => false, shown };
  return (out, { bytes, starts, ends }) => {
    const start = starts[at] ?? -1;
    if (start < 0) return;
    const source = origin === 'column' ? bytes : Buffer.from(unescaped(bytes.toString('utf8', start, ends[at])), 'utf8');
    writeDynamic(out, source, scanObject(source, origin === 'column' ? start : 0), members, format);
  };
}
