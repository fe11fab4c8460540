import { kindOfFailure } from '../database/failures.js';
import type { EntityType, StoredRecord } from '../edm/index.js';
import { errors, requireNoFaults } from '../errors/catalogue.js';
import { withArticle } from '../errors/suggest.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isOwnColumn } from '../plan/path/navigation-join.js';
import { beneath } from '../plan/write/plan-link.js';
import type { Reference, WritePlan } from '../plan/write/write-plan.js';
import { compileLink } from '../sql/compile-relations.js';
import { compileInsert, compileNextId } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { extensionOf, generatedKey, generatedValues, recordChange } from './journal.js';
import { joiningValues, joinRecords, type ResolvedLink, resolveLinks, valuesForOwn } from './link-records.js';
import { hiddenReferences, missingReferences, principalNumbers, referencesWithin } from './references.js';
import { requireAllowed } from './row-rules.js';
import { applyValues, keepPartnersSole } from './store-changes.js';
import type { Stored } from './stored-record.js';
import { keepName, type WriteTransaction } from './write-scope.js';

/** Stores a new record with the new ones beneath it, and relates it to existing ones; returns its number. */
export async function createRecord(plan: WritePlan, scope: WriteTransaction, given: StoredRecord = new Map()): Promise<string> {
  const graph = createGraph(scope);
  const faults = await checkCreate(plan, graph);
  requireNoFaults(plan.type, faults);
  const { id } = await insertGraph(plan, given, graph);
  return id;
}

/** The shared state of several written entities: the links of each plan are resolved before anything is stored. */
export interface Graph extends WriteTransaction {
  readonly resolved: Map<WritePlan, readonly ResolvedLink[]>;
  readonly numbers: Map<WritePlan, NextId>;
  /** The property of the body that has the new record, if that could be a reference to an existing one. */
  readonly relation?: string;
}

/** Creates the shared state of one request. */
export function createGraph(scope: WriteTransaction): Graph {
  return { ...scope, resolved: new Map(), numbers: new Map() };
}

/** Every fault of every new record, whatever its depth; `above` are the new records that are stored before it. */
export async function checkCreate(plan: WritePlan, graph: Graph, above: readonly WritePlan[] = []): Promise<readonly ErrorDetail[]> {
  const { connection, container, resolved, numbers } = graph;
  // Sent with the lookups, unless the plan is known to fail.
  if (plan.faults.length === 0) numbers.set(plan, nextId(plan.type, connection));
  const links = await resolveLinks(plan, graph);
  resolved.set(plan, links.resolved);
  const references = [...plan.references, ...referencesWithin(plan.type, plan.values, container)].filter((one) => !isAmong(one, above));
  const faults = [
    ...plan.faults,
    ...(await missingReferences(references, connection)()),
    ...(await hiddenReferences(plan.type, plan.values, graph)),
    ...links.faults,
  ];
  for (const child of plan.children ?? []) {
    const inner = await checkCreate(child.plan, graph, isOwnColumn(child.navigation, child.plan.type) ? above : [...above, plan]);
    faults.push(...inner.map((fault) => beneath(child.at, fault)));
  }
  return faults;
}

// A part of a part may name the whole by its key.
function isAmong({ target, value }: Reference, plans: readonly WritePlan[]): boolean {
  const [key = ''] = target.key;
  return plans.some(({ type, values }) => type.table === target.table && values.get(key) === value);
}

/** Stores a new record that is without faults, with the new ones beneath it. */
export async function insertGraph(plan: WritePlan, given: StoredRecord, graph: Graph): Promise<Stored> {
  const links = graph.resolved.get(plan) ?? [];
  const pointing = new Map([...given, ...links.flatMap((link) => (link.kind === 'own' ? [...link.values] : []))]);
  // Referenced entities must exist first.
  const principals: StoredRecord[] = [];
  for (const child of plan.children ?? [])
    if (isOwnColumn(child.navigation, child.plan.type))
      principals.push(
        valuesForOwn(child.navigation, plan.type, child.plan.type, await insertGraph(child.plan, new Map(), within(child, graph))),
      );
  const number = graph.numbers.get(plan) ?? nextId(plan.type, graph.connection);
  const inserted = await insertRecord(plan, await number(), graph, new Map([...pointing, ...principals.flatMap((values) => [...values])]));
  keepName(plan, plan.type, inserted.id, graph);
  for (const nested of plan.children ?? []) {
    const { navigation, plan: inner } = nested;
    if (isOwnColumn(navigation, inner.type)) continue;
    const child = await insertGraph(inner, joiningValues(navigation, plan.type, inner.type, inserted), within(nested, graph));
    if (navigation.through) await graph.connection.run(compileLink(navigation.through, inserted.id, child.id));
  }
  for (const link of links) {
    if (link.kind !== 'other') continue;
    const { navigation, target } = link.link;
    await applyValues(target, link.locked, joiningValues(navigation, plan.type, target, inserted), graph);
  }
  await joinRecords(links, inserted.id, graph.connection);
  return inserted;
}

function within({ navigation, at }: NonNullable<WritePlan['children']>[number], graph: Graph): Graph {
  return { ...graph, relation: navigation.contains ? '' : at.replace(/\[\d+\]$/, '') };
}

/** Stores one valid new entity, with values from the model and its extension. */
async function insertRecord(plan: WritePlan, { id, now }: Numbered, scope: Graph, given: StoredRecord): Promise<Stored> {
  const { connection } = scope;
  const extension = extensionOf(scope.extensions, plan.type);
  const sent = new Map([...newValues(plan, id, now), ...given]);
  const values = new Map([...sent, ...(await principalNumbers(plan.type, sent, scope))]);
  const change = { before: undefined, changes: values, id, now, member: scope.member };
  const after = new Map([...values, ...(extension?.assign?.(change) ?? [])]);
  await insertRow(plan.type, id, after, scope);
  await requireAllowed(plan.type, id, 'insert', connection);
  await keepPartnersSole(plan.type, id, after, scope);
  await recordChange(extension, { ...change, after }, scope);
  return { id, record: after };
}

/** The id of a new entity, and the database's time. */
export interface Numbered {
  readonly id: string;
  readonly now: string;
}

/** Awaits the id and the time. */
type NextId = () => Promise<Numbered>;

/** Queues the request for an id and the time. */
function nextId(type: EntityType, connection: Connection): NextId {
  const rows = connection.ahead(compileNextId(type));
  return async () => {
    const [row] = await rows();
    return { id: row?.[0] ?? '', now: row?.[1] ?? '' };
  };
}

function newValues({ type, values }: WritePlan, id: string, now: string): StoredRecord {
  return new Map([...values, ...generatedValues(type, 'onInsert', values, { now }), ...generatedKey(type, id, values)]);
}

// Two clients may choose the same key; the unique constraint decides.
async function insertRow(type: EntityType, id: string, values: StoredRecord, { connection, relation = '' }: Graph): Promise<void> {
  const hint = relation === '' ? '' : ` To refer to it, send its address as ${relation}@odata.bind.`;
  await connection.defer(compileInsert(type, id, values), (failure) =>
    kindOfFailure(failure) === 'conflict' ? errors.conflict(`There is already ${withArticle(type.name)} with that key.${hint}`) : failure,
  );
}
