import { own, wayTo, type EntityContainer, type EntityType, type StoredRecord, type StoredValue } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isObject, type JsonObject } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import { valuesOn } from '../json/values-on.js';
import { isSeen, rootOf } from '../plan/caller.js';
import type { KeptStream, WritePlan } from '../plan/write/write-plan.js';
import { compileDropStreams } from '../sql/compile-stream.js';
import type { Connection } from '../sql/statement.js';
import { edited, editsAt, newEdits } from './item-links.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/** The plan with the streams that its items keep, and a fault for each that no stored item has; whose are hidden from the caller, none has. */
export function withKeptStreams(plan: WritePlan, { record }: LockedRecord, { caller, container }: WriteScope): WritePlan {
  const { type, keptStreams = [] } = plan;
  if (keptStreams.length === 0) return plan;
  const edits = newEdits();
  const faults: ErrorDetail[] = [];
  const stored = new Map<string, ReadonlyMap<string, JsonObject>>();
  for (const { path, names, etag, at } of keptStreams) {
    const known = stored.get(path) ?? (isSeen(type, path, caller) ? byETag(type, path, record, container) : new Map<string, JsonObject>());
    stored.set(path, known);
    const stream = known.get(etag);
    if (stream === undefined) faults.push(noSuchBytes({ etag, at }));
    else editsAt(edits, names).members.set(memberOf(type, path), stream);
  }
  return { ...plan, ...edited(plan, edits), faults: [...plan.faults, ...faults] };
}

// Two items may have one stream: its bytes never change, and go when neither has it any more.
function byETag(type: EntityType, path: string, record: StoredRecord, container: EntityContainer): ReadonlyMap<string, JsonObject> {
  return new Map(
    streamsIn(type, path, record.get(rootOf(path)), container).flatMap((stream) => {
      const etag = stream.members.get('etag');
      return typeof etag === 'string' ? [[etag, stream] as const] : [];
    }),
  );
}

/** The fault of an ETag that none of the streams has which go. */
export function noSuchBytes({ etag, at }: Pick<KeptStream, 'etag' | 'at'>): ErrorDetail {
  const member = `${at}@odata.mediaEtag`;
  return errors
    .invalidReference(etag, member, '', 'no item has a stream with that ETag; leave it out, and PUT the bytes')
    .at(member)
    .asDetail();
}

/** Removes the bytes of streams that items of a record had and that none has after the changes. */
export async function dropItemStreams(
  type: EntityType,
  { record }: LockedRecord,
  changes: StoredRecord,
  connection: Connection,
): Promise<void> {
  for (const path of Object.keys(type.itemStreams ?? {})) {
    const root = rootOf(path);
    if (!changes.has(root)) continue;
    const left = new Set(idsIn(type, path, changes.get(root)));
    const gone = idsIn(type, path, record.get(root)).filter((id) => !left.has(id));
    if (gone.length > 0) await connection.defer(compileDropStreams(gone));
  }
}

function idsIn(type: EntityType, path: string, value: StoredValue | undefined): readonly string[] {
  return streamsIn(type, path, value).flatMap(({ members }) => {
    const id = members.get('stream');
    return typeof id === 'string' ? [id] : [];
  });
}

// What the items of a stored value say of the stream of that path: of all types that have one of the name, or only of its own.
function streamsIn(type: EntityType, path: string, value: StoredValue | undefined, container?: EntityContainer): readonly JsonObject[] {
  const way = wayTo(type, path).names.get(rootOf(path));
  if (typeof value !== 'string' || way === undefined) return [];
  const found = valuesOn(parseValue(value), way, [], container).map(({ json: { members } }) => members.get(memberOf(type, path)) ?? null);
  return found.filter(isObject);
}

function memberOf({ itemStreams = {} }: EntityType, path: string): string {
  return own(itemStreams, path)?.column ?? '';
}
