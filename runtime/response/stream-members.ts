import { mediaStream } from '../edm/index.js';
import type { SelectedStream, Selection } from '../plan/read-plan.js';
import { castOf } from './address.js';
import type { CellOrigin } from './cell.js';
import { firstStream } from '../sql/record-cells.js';
import { addressOf, textOf, type MembersWriter, type RecordFormat } from './record-writer.js';

/**
 * What is told of media streams (JSON format 4.6.14, 9 and 10): their media type and ETag always, where there is a
 * stream, since no client can know them; links in full metadata only, since ours follow the conventions.
 */
export function streamSteps(selection: Selection, format: RecordFormat, origin: CellOrigin, isUpdatable: boolean): readonly MembersWriter[] {
  const { streams = [], type } = selection;
  const first = firstStream(selection);
  return streams.flatMap((selected, index) => {
    if (selected.of && !selected.of.has(type.qualifiedName)) return [];
    const facts = factsStep(selected, first + 2 * index, origin);
    return format.metadata === 'full' ? [facts, linksStep(selected, selection, format, origin, isUpdatable)] : [facts];
  });
}

function factsStep({ name }: SelectedStream, at: number, origin: CellOrigin): MembersWriter {
  const [typeMember, etagMember] = ['mediaContentType', 'mediaEtag'].map((fact) => memberOf(name, fact));
  return (out, cells) => {
    const [type, etag] = [textOf(cells, at, origin), textOf(cells, at + 1, origin)];
    if (type !== null) out.text(`${typeMember}${JSON.stringify(type)}${etagMember}${JSON.stringify(`"${etag}"`)}`);
  };
}

function linksStep({ name, stream }: SelectedStream, selection: Selection, { root }: RecordFormat, origin: CellOrigin, isUpdatable: boolean): MembersWriter {
  const members = [...(isUpdatable && !stream.readOnly ? ['mediaEditLink'] : []), 'mediaReadLink'].map((fact) => memberOf(name, fact));
  return (out, cells) => {
    const link = JSON.stringify(`${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${encodeURIComponent(name).replace(/^%24/, '$')}`);
    for (const member of members) out.text(`${member}${link}`);
  };
}

// Of a media entity's own stream they stand beside the record's, and of a stream property at its name.
function memberOf(name: string, fact: string): string {
  return `,${JSON.stringify(`${name === mediaStream ? '' : name}@odata.${fact}`)}:`;
}
