import { propertyOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { compileTurn } from '../sql/compile-symmetric.js';
import type { Connection } from '../sql/statement.js';

/**
 * Waits until nobody else changes whom the records of a table lead to by properties that are their own partners, and keeps
 * others waiting until the transaction ends: such a change is one of up to four records, and two that hold one of them each
 * would wait for each other. Before anything is locked; `members` are those of the body, or all where they are not given.
 */
export async function takeTurn({ table }: Pick<EntityType, 'table'>, members: Iterable<string> | undefined, connection: Connection, container: EntityContainer): Promise<void> {
  const names = mutualOf(container).get(table);
  if (names === undefined) return;
  if (members === undefined || [...members].some((member) => names.has(rootName(member)))) await connection.defer(compileTurn(table));
}

/** The same of several tables, in an order that is the same for all. */
export async function takeTurns(tables: readonly string[], connection: Connection): Promise<void> {
  for (const table of [...tables].sort()) await connection.defer(compileTurn(table));
}

const known = new WeakMap<EntityContainer, ReadonlyMap<string, ReadonlySet<string>>>();

/** By table, since a derived type may be the only one that has the property: the members of bodies that change whom its records lead to by properties that are their own partners. */
export function mutualOf(container: EntityContainer): ReadonlyMap<string, ReadonlySet<string>> {
  const found = known.get(container) ?? findMutual(container);
  known.set(container, found);
  return found;
}

function findMutual({ entityTypes }: EntityContainer): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (const type of Object.values(entityTypes)) {
    for (const [name, { symmetric, join }] of Object.entries(type.navigation)) {
      if (!symmetric) continue;
      const names = tables.get(type.table) ?? new Set();
      tables.set(type.table, names);
      for (const one of [name, ...Object.keys(join).map((column) => propertyOf(type, column))]) names.add(rootName(one));
    }
  }
  return tables;
}

/** `Spouse` of `Spouse@odata.bind`, and `Home` of `Home/Spouse`. */
export function rootName(member: string): string {
  return /^[^@/]*/.exec(member)?.[0] ?? member;
}
