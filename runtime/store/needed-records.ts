import { own, type EntityContainer, type EntityType } from '../edm/index.js';
import { anyNameOf } from '../plan/path/nested-path.js';
import { compileHeldNumbers, compileLedTo, ledFrom, type LedFrom } from '../sql/compile-led.js';
import type { Connection } from '../sql/statement.js';
import { stillReferred } from './refused-deletion.js';
import type { WriteScope } from './write-scope.js';

/** Items that lead to records of a table at any time. */
interface Need {
  readonly type: EntityType;
  readonly path: string;
  readonly target: EntityType;
  readonly led: LedFrom;
}

const known = new WeakMap<EntityContainer, ReadonlyMap<string, readonly Need[]>>();

/** By table, what items must lead to its records. */
export function neededOf(container: EntityContainer): ReadonlyMap<string, readonly Need[]> {
  const needs = known.get(container) ?? findNeeds(container);
  known.set(container, needs);
  return needs;
}

function findNeeds(container: EntityContainer): ReadonlyMap<string, readonly Need[]> {
  const all = Object.values(container.entityTypes).flatMap((type) =>
    Object.entries(type.itemNavigation ?? {}).flatMap(([path, navigation]): readonly Need[] => {
      const target = own(container.entityTypes, navigation.target);
      const whole = anyNameOf(type, path);
      const isRequired = whole === undefined ? navigation.required : own(type.anyItemNavigation ?? {}, whole)?.required;
      return target === undefined || !isRequired || navigation.contains !== undefined
        ? []
        : [{ type, path: whole ?? path, target, led: ledFrom(type, path, navigation, target, container) }];
    }),
  );
  // Types that share a table have the same items.
  const distinct = new Map(all.map((need) => [JSON.stringify([need.led, need.target.table]), need]));
  const needs = new Map<string, Need[]>();
  for (const need of distinct.values()) needs.set(need.target.table, [...(needs.get(need.target.table) ?? []), need]);
  return needs;
}

/** Refuses to delete records that items of others must lead to, as a foreign key would: they are locked first, and whoever leads to one holds it until it is seen. */
export async function requireNotNeeded(
  type: EntityType,
  going: ReadonlyMap<string, ReadonlySet<string>>,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  const { container } = scope;
  for (const [table, numbers] of going) {
    const needs = neededOf(container).get(table) ?? [];
    const [first] = needs;
    if (first === undefined || numbers.size === 0) continue;
    await connection.run(compileHeldNumbers(first.target, [...numbers]));
    for (const { type: referring, path, target, led } of needs) {
      const found = await connection.run(compileLedTo(led, target, [...numbers], [...(going.get(referring.table) ?? [])]));
      if (found.length > 0) throw stillReferred(type, { referring, name: path, target }, scope);
    }
  }
}
