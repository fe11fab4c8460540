import { streamAt } from './plan-stream.js';
import { storeHooks } from '../../store/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { responseHooks } from '../../response/hooks.js';
import { httpHooks } from '../../http/hooks.js';
import type { Exchange } from '../../http/service.js';
import type { StreamTarget } from '../../plan/path/path-target.js';
import type { ODataResponse } from '../../protocol/message.js';
import { readStream } from './read-stream.js';
import { createMedia, deleteStream, putStream } from './write-stream.js';
import { compileDropChunks, compileStoredHead } from './stream-store.js';
import { isRemoved } from '../../store/nested-values.js';
import type { WriteTransaction } from '../../store/write-scope.js';
import type { LockedRecord } from '../../store/stored-record.js';
import { streamColumns, type EntityType, type StoredRecord, isDirect, mediaStream } from '../../edm/index.js';
import { type MembersWriter, type RecordFormat, addressOf, isLinked, isUpdatable, textOf } from '../../response/record-format.js';
import { castOf } from '../../response/address.js';
import { stepsOf } from '../../plan/path/nested-path.js';
import type { SelectedStream, Selection } from '../../plan/read-plan.js';
import type { CellOrigin } from '../../response/cell.js';
import { cellsOf } from '../../sql/record-cells.js';
import type { InsideMembers } from '../../response/move-inside.js';
import { lastName } from '../../edm/lookup.js';

/** Registers the reads and writes of media streams. */
export function registerMediaStreams(): void {
  planHooks.register({ streamAt });
  storeHooks.register({ removeStreams });
  responseHooks.register({ streamMembers: { steps: streamSteps, within: streamsWithin } });
  httpHooks.register({ streamOperations: { operate, createMedia } });
}

function operate(target: StreamTarget, exchange: Exchange): Promise<ODataResponse> {
  const { method } = exchange.request;
  if (method === 'PUT') return putStream(target, exchange);
  return method === 'DELETE' ? deleteStream(target, exchange) : readStream(target, exchange);
}

/** Deletes the streams of removed complex values; returns the new values of their columns. */
async function removeStreams(
  type: EntityType,
  { id }: LockedRecord,
  changes: StoredRecord,
  { connection, container }: WriteTransaction,
): Promise<StoredRecord> {
  const gone = Object.entries(type.streams ?? {}).filter(([name]) => !isDirect(name) && isRemoved(name, changes, container));
  const released = new Map<string, null>();
  for (const [, stream] of gone) {
    const [row] = await connection.run(compileStoredHead(type, id, stream));
    if (row?.[0] == null) continue;
    await connection.run(compileDropChunks(row[0]));
    for (const column of Object.values(streamColumns(stream))) released.set(column, null);
  }
  return released;
}

/**
 * The annotations of media streams (JSON format 4.6.14, 9 and 10): always media type and ETag of an existing stream;
 * links in full metadata only, since they follow the conventions.
 */
function streamSteps(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly MembersWriter[] {
  const { streams = [] } = selection;
  return streams.flatMap((selected, index) => (isDirect(selected.name) ? annotationsOf(selected, index, selection, format, origin) : []));
}

/** The annotations of complex values' streams: members of those values. */
function streamsWithin(selection: Selection, format: RecordFormat, origin: CellOrigin): readonly InsideMembers[] {
  if (format.metadata === 'none') return [];
  return (selection.streams ?? []).flatMap((selected, index) => {
    if (isDirect(selected.name)) return [];
    const within = stepsOf(selected.name).steps.map(({ name }) => name);
    return annotationsOf(selected, index, selection, format, origin).map((write) => ({ within, write }));
  });
}

function annotationsOf(
  selected: SelectedStream,
  index: number,
  selection: Selection,
  format: RecordFormat,
  origin: CellOrigin,
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
    const link = linkTo(name, format.root, addressOf(selection, cells, origin), selection.type);
    for (const member of members) out.text(`${member}${link}`);
  };
}

function linkTo(name: string, root: string, address: string, type: EntityType): string {
  return JSON.stringify(`${root}/${address}${castOf(type)}/${name.split('/').map(encodeURIComponent).join('/').replace(/^%24/, '$')}`);
}

// The start of an annotation: for a media entity's own stream that of the entity, for a stream property with its name.
function memberOf(path: string, fact: string): string {
  const name = lastName(path);
  return `,${JSON.stringify(`${name === mediaStream ? '' : name}@odata.${fact}`)}:`;
}
