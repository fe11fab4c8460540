import { isDirect, mediaStream } from '../edm/index.js';
import type { SelectedStream, Selection } from '../plan/read-plan.js';
import { castOf } from './address.js';
import type { CellOrigin } from './cell.js';
import { firstInline, firstStream, inlineStreams } from '../sql/record-cells.js';
import { addressOf, textOf, type Cells, type InsideWriters, type MembersWriter, type RecordFormat } from './record-writer.js';

/**
 * What is told of media streams (JSON format 4.6.14, 9 and 10): their media type and ETag always, where there is a
 * stream, since no client can know them; links in full metadata only, since ours follow the conventions.
 */
export function streamSteps(selection: Selection, format: RecordFormat, origin: CellOrigin, isUpdatable: boolean): readonly MembersWriter[] {
  const { streams = [] } = selection;
  return streams.flatMap((selected, index) => (isDirect(selected.name) ? toldOf(selected, { selection, format, origin, isUpdatable }, index) : []));
}

/** What is told of the streams of complex values, by the property that has the value; what lies deeper is told at its own address. */
export function streamsWithin(selection: Selection, format: RecordFormat, origin: CellOrigin, isUpdatable: boolean): InsideWriters {
  const within = new Map<string, MembersWriter[]>();
  if (format.metadata === 'none') return new Map();
  for (const [index, selected] of (selection.streams ?? []).entries()) {
    const [root = '', , ...deeper] = selected.name.split('/');
    if (isDirect(selected.name) || deeper.length > 0) continue;
    within.set(root, [...(within.get(root) ?? []), ...toldOf(selected, { selection, format, origin, isUpdatable }, index)]);
  }
  return new Map([...within].map(([root, steps]) => [root, (out, cells) => steps.forEach((step) => step(out, cells))]));
}

interface Telling {
  readonly selection: Selection;
  readonly format: RecordFormat;
  readonly origin: CellOrigin;
  readonly isUpdatable: boolean;
}

function toldOf(selected: SelectedStream, { selection, format, origin, isUpdatable }: Telling, index: number): readonly MembersWriter[] {
  if (selected.of && !selected.of.has(selection.type.qualifiedName)) return [];
  const facts = factsStep(selected, firstStream(selection) + 2 * index, origin);
  return format.metadata === 'full' ? [facts, linksStep(selected, selection, format, origin, isUpdatable)] : [facts];
}

function factsStep({ name }: SelectedStream, at: number, origin: CellOrigin): MembersWriter {
  const [typeMember, etagMember] = ['mediaContentType', 'mediaEtag'].map((fact) => memberOf(name, fact));
  return (out, cells) => {
    const [type, etag] = [textOf(cells, at, origin), textOf(cells, at + 1, origin)];
    if (type !== null) out.text(`${typeMember}${JSON.stringify(type)}${etagMember}${JSON.stringify(`"${etag}"`)}`);
  };
}

/** The values of streams that are expanded (JSON format 9): JSON and text as such, other bytes in base64url; one that is too long has its address. */
export function inlineSteps(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly MembersWriter[] {
  // Clients of 4.0 know no such values.
  if (format.version === '4.0') return [];
  const first = firstStream(selection);
  return inlineStreams(selection).map(({ name, stream }, index) => {
    const place = { type: first + 2 * (selection.streams ?? []).findIndex((one) => one.stream === stream), value: firstInline(selection) + index };
    const member = `,${JSON.stringify(name)}:`;
    return (out, cells) => {
      const [type, value] = [textOf(cells, place.type, origin), textOf(cells, place.value, origin)];
      if (type === null) return out.text(`${member}null`);
      if (value !== null) return out.text(`${member}${inlineValue(type, value)}`);
      if (format.metadata === 'minimal') out.text(`${memberOf(name, 'mediaReadLink')}${linkTo(name, { selection, cells, format, origin })}`);
    };
  });
}

function inlineValue(type: string, base64: string): string {
  if (!/^(text\/|application\/([^;]*\+)?json\b)/i.test(type)) return JSON.stringify(base64);
  const text = Buffer.from(base64, 'base64url').toString('utf8');
  return /^text\//i.test(type) || !isJson(text) ? JSON.stringify(text) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function linksStep({ name, stream }: SelectedStream, selection: Selection, format: RecordFormat, origin: CellOrigin, isUpdatable: boolean): MembersWriter {
  const members = [...(isUpdatable && !stream.readOnly ? ['mediaEditLink'] : []), 'mediaReadLink'].map((fact) => memberOf(name, fact));
  return (out, cells) => {
    const link = linkTo(name, { selection, cells, format, origin });
    for (const member of members) out.text(`${member}${link}`);
  };
}

interface StreamPlace {
  readonly selection: Selection;
  readonly cells: Cells;
  readonly format: RecordFormat;
  readonly origin: CellOrigin;
}

function linkTo(name: string, { selection, cells, format: { root }, origin }: StreamPlace): string {
  return JSON.stringify(`${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${name.split('/').map(encodeURIComponent).join('/').replace(/^%24/, '$')}`);
}

// Of a media entity's own stream they stand beside the record's, and of a stream property at its name.
function memberOf(path: string, fact: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `,${JSON.stringify(`${name === mediaStream ? '' : name}@odata.${fact}`)}:`;
}
