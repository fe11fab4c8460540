import { anyEntity, type Field } from '../edm/index.js';
import type { Selection, TypeVariant } from '../plan/read-plan.js';
import { cellsOf } from '../sql/record-cells.js';
import { castOf } from './address.js';
import type { CellOrigin } from './cell.js';
import { columnSteps, specialStep } from './column-members.js';
import { openStep } from './dynamic-members.js';
import type { Manner, MembersWriter, RecordFormat } from './record-format.js';
import { addressOf, isLinked, isUpdatable, operationsOf, textOf, typeNameOf } from './record-format.js';
import { writeInside } from './move-inside.js';
import { typeAnnotation } from './payload-format.js';
import { responseHooks } from './hooks.js';

/** Prepares the writing of a selection's own members: one step a column, nothing decided per record. */
export function membersWriter(selection: Selection, format: RecordFormat, origin: CellOrigin): MembersWriter {
  return selection.types ? variantsWriter(selection, selection.types, { format, origin }) : stepsWriter(selection, { format, origin });
}

// Records of several types have a writer a type, and `#type` chooses.
function variantsWriter(selection: Selection, types: readonly TypeVariant[], manner: Manner): MembersWriter {
  const { declared = selection.type } = selection;
  const writers = new Map(
    types.map(({ type, links }) => [type.qualifiedName, stepsWriter({ ...selection, type, links, declared }, manner)]),
  );
  return (out, cells) => {
    const name = typeNameOf(selection, cells);
    const write = writers.get(name ?? '');
    if (write === undefined) throw new Error(`A row of ${selection.table} has the type ${name}, which the model does not have there.`);
    write(out, cells);
  };
}

function stepsWriter(selection: Selection, manner: Manner): MembersWriter {
  const { format, origin } = manner;
  const steps = [
    ...controlSteps(selection, format, origin),
    ...columnSteps(selection, manner),
    ...(selection.open === undefined ? [] : [openStep(selection, selection.open, format, origin)]),
    ...nameStep(selection, origin),
  ];
  const inside = selection.streams ? responseHooks.get('streamMembers').within(selection, format, origin) : [];
  // Clients construct the links of other metadata themselves.
  const links = isLinked(selection, format) ? responseHooks.get('fullLinks').ofValues(selection, format, origin) : undefined;
  return (out, cells) => {
    const from = out.length;
    for (const step of steps) step(out, cells);
    for (const members of inside) writeInside(out, from, members, cells);
    links?.(out, from, cells);
  };
}

function controlSteps(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly MembersWriter[] {
  if (format.metadata === 'none') return [];
  const { type, declared = type, keyColumns } = selection;
  const full = format.metadata === 'full';
  // A client takes a record for what the model declares at its place (JSON format 4.5.3).
  const typed = full || type !== declared ? [constant(`,"@odata.type":"#${type.qualifiedName}"`)] : [];
  const streams = selection.streams ? responseHooks.get('streamMembers').steps(selection, format, origin) : [];
  // JSON format 4.5.8: the id of a record without an address is null. Its links have no address either.
  if (declared.transient) return [...typed, constant(',"@odata.id":null'), ...streams];
  const shown = selection.id !== 'hidden' && (full || format.addresses || declared.qualifiedName === anyEntity);
  const address = addressSteps(selection, format, origin);
  return [
    ...typed,
    ...(shown || selection.id === 'shown' ? [address.id] : []),
    ...(selection.etag ? [etagStep(keyColumns.length)] : []),
    ...(shown && isUpdatable(type) ? [address.editLink] : []),
    ...streams,
    ...(isLinked(selection, format) ? responseHooks.get('fullLinks').steps(selection, format, origin) : []),
    // Their addresses follow from the record's (JSON format 16 and 17).
    ...(full ? [] : operationsOf(selection, format).map(({ name }) => constant(`,${JSON.stringify(`#${name}`)}:{}`))),
  ];
}

// Both are the record's address; the link follows the id. Percent-encoded text needs no escape.
function addressSteps(
  selection: Selection,
  { root }: RecordFormat,
  origin: CellOrigin,
): { readonly id: MembersWriter; readonly editLink: MembersWriter } {
  const before = JSON.stringify(`${root}/`).slice(0, -1);
  const cast = castOf(selection.type);
  let address = '';
  return {
    id: (out, cells) => {
      address = before + addressOf(selection, cells, origin);
      out.text(`,"@odata.id":${address}"`);
    },
    editLink: (out) => out.text(`,"@odata.editLink":${address}${cast}"`),
  };
}

// An annotation is no control information, which metadata=none would leave out.
function nameStep(selection: Selection, origin: CellOrigin): readonly MembersWriter[] {
  const { named } = selection;
  if (named === undefined) return [];
  const at = cellsOf(selection).number;
  return [
    (out, cells) => {
      const name = named.get(textOf(cells, at, origin) ?? '');
      if (name !== undefined) out.text(`,${name}`);
    },
  ];
}

function constant(text: string): MembersWriter {
  const bytes = Buffer.from(text, 'utf8');
  return (out) => out.copy(bytes, 0, bytes.length);
}

const etagBefore = Buffer.from(',"@odata.etag":"W/\\"');
const etagAfter = Buffer.from('\\""');

// A version is digits only, so its bytes need no escape.
function etagStep(version: number): MembersWriter {
  return (out, { bytes, starts, ends }) => {
    out.copy(etagBefore, 0, etagBefore.length);
    out.copy(bytes, starts[version] ?? 0, ends[version] ?? 0);
    out.copy(etagAfter, 0, etagAfter.length);
  };
}

/** Writes the type of a property in a cell, where JSON does not imply it. */
export function typeStep(name: string, field: Field, at: number): MembersWriter | undefined {
  const annotation = typeAnnotation(name, field);
  return annotation === undefined ? specialStep(name, field, at) : constant(`,${annotation}`);
}
