import { propertyOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { isArray, isObject, type Json } from '../json/json.js';
import { compileTurn } from '../sql/compile-symmetric.js';
import type { Connection } from '../sql/statement.js';

/** What a request says of the records that it changes. */
interface Said {
  /** Bodies, with those of other records within them. */
  readonly bodies?: readonly Json[];
  /** The name of what it addresses. */
  readonly name?: string;
  /** It deletes records of the type, replaces them, or relates them to others. */
  readonly whole?: boolean;
}

/**
 * Waits until nobody else changes whom the records of a table lead to by properties that are their own partners, and keeps
 * others waiting until the transaction ends: such a change is one of up to four records, and two that hold one of them each
 * would wait for each other. Before anything is locked; records of other tables may come within a body.
 */
export async function takeTurn(
  { table }: Pick<EntityType, 'table'>,
  { bodies = [], name, whole = false }: Said,
  connection: Connection,
  container: EntityContainer,
): Promise<void> {
  const mutual = mutualOf(container);
  if (mutual.size === 0) return;
  const said = new Set([...(name === undefined ? [] : [name]), ...bodies.flatMap(membersWithin)].map(rootName));
  await takeTurns(
    [...mutual].filter(([one, names]) => (whole && one === table) || [...names].some((member) => said.has(member))).map(([one]) => one),
    connection,
  );
}

// Of a body, and of all that lies within it.
function membersWithin(json: Json): readonly string[] {
  if (isArray(json)) return json.items.flatMap(membersWithin);
  return isObject(json) ? [...json.members].flatMap(([member, value]) => [member, ...membersWithin(value)]) : [];
}

/** Takes the turns of several tables, in an order that is the same for all. */
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
