import { propertyOf, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { beneath, isOwnColumn } from '../plan/plan-link.js';
import type { ChildPlan, Link, WritePlan } from '../plan/write-plan.js';
import { compileJoin } from '../sql/compile-join.js';
import type { Connection } from '../sql/statement.js';
import { insertRecord, type Inserted } from './create-record.js';
import { joinRecords, resolveLinks, valuesForOther, type ResolvedLink } from './link-records.js';
import { missingReferences } from './references.js';
import { applyValues } from './update-record.js';
import type { WriteScope } from './write-scope.js';

/** Stores a new record with the new ones beneath it, and relates it to existing ones; returns its number. */
export async function createRecord(plan: WritePlan, connection: Connection, scope: WriteScope, given: StoredRecord = new Map()): Promise<string> {
  const resolved = new Map<WritePlan, readonly ResolvedLink[]>();
  const faults = await faultsOf(plan, resolved, connection, scope);
  if (faults.length > 0) throw errors.notSaved(plan.type.name.toLowerCase()).with(faults);
  const { id } = await insertGraph(plan, given, { connection, scope, resolved });
  return id;
}

// Every fault of every record, whatever its depth, before anything is stored.
async function faultsOf(plan: WritePlan, resolved: Map<WritePlan, readonly ResolvedLink[]>, connection: Connection, scope: WriteScope): Promise<readonly ErrorDetail[]> {
  const links = await resolveLinks(plan.type, plan.links ?? [], connection, scope);
  resolved.set(plan, links.resolved);
  const faults = [...plan.faults, ...(await missingReferences(plan.references, connection)), ...links.faults];
  for (const child of plan.children ?? []) {
    const inner = await faultsOf(child.plan, resolved, connection, scope);
    faults.push(...inner.map((fault) => beneath(child.at, fault)));
  }
  return faults;
}

interface Graph {
  readonly connection: Connection;
  readonly scope: WriteScope;
  readonly resolved: ReadonlyMap<WritePlan, readonly ResolvedLink[]>;
}

async function insertGraph(plan: WritePlan, given: StoredRecord, graph: Graph): Promise<Inserted> {
  const links = graph.resolved.get(plan) ?? [];
  const pointing = new Map([...given, ...links.flatMap((link) => (link.kind === 'own' ? [...link.values] : []))]);
  // What the record points to must be there before it.
  const principals: StoredRecord[] = [];
  for (const child of plan.children ?? []) if (isOwnColumn(child.navigation, child.plan.type)) principals.push(await insertPrincipal(child, plan, graph));
  const inserted = await insertRecord(plan, graph.connection, graph.scope, new Map([...pointing, ...principals.flatMap((values) => [...values])]));
  for (const { navigation, plan: inner } of plan.children ?? []) {
    if (isOwnColumn(navigation, inner.type)) continue;
    const child = await insertGraph(inner, valuesForOther(navigation, plan.type, inner.type, inserted.id, inserted.record), graph);
    if (navigation.through) await graph.connection.run(compileJoin(navigation.through, inserted.id, child.id));
  }
  for (const link of links) if (link.kind === 'other') await giveOther(link.link, link.locked, plan, inserted, graph);
  await joinRecords(links, inserted.id, graph.connection);
  return inserted;
}

async function insertPrincipal({ navigation, plan: inner }: ChildPlan, plan: WritePlan, graph: Graph): Promise<StoredRecord> {
  const { id, record } = await insertGraph(inner, new Map(), graph);
  const pairs = Object.entries({ ...navigation.join, ...navigation.repeats });
  return new Map(pairs.map(([own, other]) => [propertyOf(plan.type, own), other === '#id' ? id : (record.get(propertyOf(inner.type, other)) ?? null)]));
}

async function giveOther(link: Link, locked: Parameters<typeof applyValues>[1], plan: WritePlan, { id, record }: Inserted, { connection, scope }: Graph): Promise<void> {
  await applyValues(link.target, locked, valuesForOther(link.navigation, plan.type, link.target, id, record), connection, scope);
}
