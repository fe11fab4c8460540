import { randomUUID } from 'node:crypto';
import { streamOf, type Stream } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isSeen } from '../plan/caller.js';
import { beneath } from '../plan/write/plan-link.js';
import type { KeptStream, OwnStream, WritePlan } from '../plan/write/write-plan.js';
import { compileContained, compileCopyChunks, compileKeptHeads, type ContainedBy } from '../sql/compile-kept.js';
import type { Connection } from '../sql/statement.js';
import type { Graph } from './create-graph.js';
import { noSuchBytes } from './item-streams.js';
import type { LockedRecord } from './stored-record.js';
import type { StreamHead } from './stream-store.js';

/** Gives new records within items the streams that they were shown with, of those of the records that go; a fault for each that none has. */
export async function keepContents(plan: WritePlan, { id }: LockedRecord, graph: Graph): Promise<readonly ErrorDetail[]> {
  const claims = claimsIn(plan, { way: [], isSeen: true, told: (fault) => fault }, graph);
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) {
    const alike = JSON.stringify([claim.way.map(({ type, column }) => [type.table, column]), claim.stream.column]);
    groups.set(alike, [...(groups.get(alike) ?? []), claim]);
  }
  const faults: ErrorDetail[] = unkeptIn(plan.itemChildren);
  for (const group of groups.values()) faults.push(...(await keepGroup(group, id, graph)));
  return faults;
}

// Items of records that items contain: who sends the ETags of their streams is told that the bytes would be lost.
function unkeptIn(children: WritePlan['itemChildren'] = [], told: Within['told'] = (fault) => fault): ErrorDetail[] {
  return children.flatMap(({ plan, at }) => {
    const outer: Within['told'] = (fault) => told(beneath(at, fault));
    const own = (plan.keptStreams ?? []).map((one) => outer(notKept(one)));
    return [
      ...own,
      ...unkeptIn(plan.itemChildren, outer),
      ...(plan.children ?? [])
        .filter(({ navigation }) => navigation.contains)
        .flatMap((child) => unkeptIn([{ ...child, names: [], member: '', column: '' }], outer)),
    ];
  });
}

function notKept({ etag, at }: KeptStream): ErrorDetail {
  const member = `${at}@odata.mediaEtag`;
  return errors
    .invalidReference(
      etag,
      member,
      '',
      'a record that an item contains is written anew, and its own items keep no streams; leave it out, and PUT the bytes',
    )
    .at(member)
    .asDetail();
}

/** A stream that a new record is to have. */
interface Claim extends Within {
  readonly plan: WritePlan;
  readonly stream: Stream;
  readonly said: OwnStream;
}

/** Where new records are: what contains them, from the record whose items are written. */
interface Within {
  readonly way: readonly ContainedBy[];
  /** The caller may read what those that go are, and so knows their streams. */
  readonly isSeen: boolean;
  readonly told: (fault: ErrorDetail) => ErrorDetail;
}

function claimsIn(plan: WritePlan, within: Within, graph: Graph): readonly Claim[] {
  const { caller } = graph.scope;
  const own = (plan.ownStreams ?? []).flatMap((said): readonly Claim[] => {
    const stream = streamOf(plan.type, said.name);
    return stream ? [{ ...within, isSeen: within.isSeen && isSeen(plan.type, said.name, caller), plan, stream, said }] : [];
  });
  const inItems = (plan.itemChildren ?? []).map(({ plan: inner, at, column, names: [root = ''] }) => ({
    inner,
    at,
    column,
    name: String(root),
  }));
  const contained = (plan.children ?? []).flatMap(({ plan: inner, at, name, navigation: { contains, join } }) =>
    contains ? [{ inner, at, column: join['#id'] ?? '', name }] : [],
  );
  // Of the record itself it is the items that are written, and no more.
  const all = [...inItems, ...(within.way.length > 0 ? contained : [])];
  return [
    ...own,
    ...all.flatMap(({ inner, at, column, name }) =>
      claimsIn(
        inner,
        {
          way: [...within.way, { type: inner.type, column }],
          isSeen: within.isSeen && isSeen(plan.type, name, caller),
          told: (fault) => within.told(beneath(at, fault)),
        },
        graph,
      ),
    ),
  ];
}

async function keepGroup(group: readonly Claim[], id: string, { connection, kept }: Graph): Promise<readonly ErrorDetail[]> {
  const heads = await findHeads(
    group.filter((claim) => claim.isSeen),
    id,
    connection,
  );
  const faults: ErrorDetail[] = [];
  for (const { plan, stream, said, told } of group) {
    const head = heads.find(({ etag }) => `"${etag}"` === said.etag);
    if (head === undefined) faults.push(told(noSuchBytes({ etag: said.etag, at: said.name.replace(/^\$value$/, '') })));
    else kept.set(plan, [...(kept.get(plan) ?? []), { stream, head: await copied(head, connection) }]);
  }
  return faults;
}

async function findHeads(claims: readonly Claim[], id: string, connection: Connection): Promise<readonly StreamHead[]> {
  const [first] = claims;
  const type = first?.way.at(-1)?.type;
  if (first === undefined || type === undefined) return [];
  const numbers = (await connection.run(compileContained(first.way, id))).map(([number]) => number ?? '');
  const rows = await connection.run(
    compileKeptHeads(
      type,
      first.stream,
      numbers,
      claims.map(({ said }) => said.etag.slice(1, -1)),
    ),
  );
  return rows.map(([stream, mediaType, length, etag]) => ({
    stream: stream ?? '',
    type: mediaType ?? '',
    length: Number(length),
    etag: etag ?? '',
  }));
}

// Whether the record that has the stream goes shows later, and two may keep the same.
async function copied(head: StreamHead, connection: Connection): Promise<StreamHead> {
  const stream = randomUUID();
  await connection.run(compileCopyChunks(head.stream, stream));
  return { ...head, stream };
}
