import type { Cells, MembersWriter, RecordFormat } from '../../response/record-format.js';
import { addressOf, isLinked, isUpdatable, textOf } from '../../response/record-format.js';
import { castOf } from '../../response/address.js';
import { isDirect, mediaStream } from '../../edm/index.js';
import { stepsOf } from '../../plan/path/nested-path.js';
import type { SelectedStream, Selection } from '../../plan/read-plan.js';
import type { CellOrigin } from '../../response/cell.js';
import { cellsOf } from '../../sql/record-cells.js';
import type { InsideMembers } from '../../response/move-inside.js';
import { lastName } from '../../edm/lookup.js';

/**
 * The annotations of media streams (JSON format 4.6.14, 9 and 10): always media type and ETag of an existing stream;
 * links in full metadata only, since they follow the conventions.
 */
export function streamSteps(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly MembersWriter[] {
  const { streams = [] } = selection;
  return streams.flatMap((selected, index) =>
    isDirect(selected.name) ? annotationsOf(selected, { selection, format, origin }, index) : [],
  );
}

/** The annotations of complex values' streams: members of those values. */
export function streamsWithin(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly InsideMembers[] {
  if (format.metadata === 'none') return [];
  return (selection.streams ?? []).flatMap((selected, index) => {
    if (isDirect(selected.name)) return [];
    const within = stepsOf(selected.name).steps.map(({ name }) => name);
    return annotationsOf(selected, { selection, format, origin }, index).map((write) => ({ within, write }));
  });
}

interface AnnotationContext {
  readonly selection: Selection;
  readonly format: RecordFormat;
  readonly origin: CellOrigin;
}

function annotationsOf(
  selected: SelectedStream,
  { selection, format, origin }: AnnotationContext,
  index: number,
): readonly MembersWriter[] {
  if (selected.of && !selected.of.has(selection.type.qualifiedName)) return [];
  const at = cellsOf(selection).firstStream + 2 * index;
  const facts = factsStep(selected, at, origin);
  if (!isLinked(selection, format)) return [facts];
  const links = streamLinks(selected, selection, format, origin);
  return [facts, isOfSome(selected) ? (out, cells) => (textOf(cells, at, origin) === null ? undefined : links(out, cells)) : links];
}

// A stream of a derived value implies the value's type.
function isOfSome({ name }: SelectedStream): boolean {
  return stepsOf(name).steps.some(({ type }) => type !== undefined);
}

function factsStep({ name }: SelectedStream, at: number, origin: CellOrigin): MembersWriter {
  const [typeMember, etagMember] = ['mediaContentType', 'mediaEtag'].map((fact) => memberOf(name, fact));
  return (out, cells) => {
    const [type, etag] = [textOf(cells, at, origin), textOf(cells, at + 1, origin)];
    if (type !== null) out.text(`${typeMember}${JSON.stringify(type)}${etagMember}${JSON.stringify(`"${etag}"`)}`);
  };
}

function streamLinks({ name, stream }: SelectedStream, selection: Selection, format: RecordFormat, origin: CellOrigin): MembersWriter {
  const members = [...(isUpdatable(selection.type) && !stream.readOnly ? ['mediaEditLink'] : []), 'mediaReadLink'].map((fact) =>
    memberOf(name, fact),
  );
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
  return JSON.stringify(
    `${root}/${addressOf(selection, cells, origin)}${castOf(selection.type)}/${name.split('/').map(encodeURIComponent).join('/').replace(/^%24/, '$')}`,
  );
}

// The start of an annotation: for a media entity's own stream that of the entity, for a stream property with its name.
function memberOf(path: string, fact: string): string {
  const name = lastName(path);
  return `,${JSON.stringify(`${name === mediaStream ? '' : name}@odata.${fact}`)}:`;
}
