import type { EntityContainer } from '../../edm/index.js';
import { itemAnyOf, itemNavigationOf } from '../path/nested-path.js';
import { errors } from '../../errors/catalogue.js';
import { linkNames, linkOf, linkPresence } from '../links.js';
import { nameOf } from '../shown-path.js';
import { columnAt, type AppliedExpand, type Relation } from '../relation.js';
import type { TypedExpr } from '../typed-expr.js';

/**
 * What the sequences of `concat` expand, each way once. Where they do not all expand a navigation property in one way,
 * each way has a column that tells its rows; rows that lead there and do not show it are a way of their own, for `$expand`.
 */
export function sharedExpands(relations: readonly Relation[], alias: string, container: EntityContainer): readonly AppliedExpand[] {
  const ways = new Map<string, AppliedExpand>();
  for (const item of relations.flatMap((relation) => [...relation.expands, ...unshown(relation, relations, container)]))
    ways.set(wayOf(item), ways.get(wayOf(item)) ?? item);
  for (const item of ways.values()) requireEverywhere(item, relations, container);
  const names = [...ways.values()].map(nameOf);
  return [...ways.values()].map((item, index): AppliedExpand => {
    const name = names[index] ?? '';
    const onlyWay = item.presence === undefined && names.indexOf(name) === names.lastIndexOf(name);
    return onlyWay ? item : { ...item, presence: `#.${alias}.e${index}` };
  });
}

// What items show has no column that could tell whether a row's items do.
function requireEverywhere(item: AppliedExpand, relations: readonly Relation[], container: EntityContainer): void {
  const isOfItems = relations.some(
    ({ type }) => (itemNavigationOf(type, namesOf(item), container) ?? itemAnyOf(type, namesOf(item), container)) !== undefined,
  );
  if (!isOfItems || relations.every(({ expands }) => expands.some((other) => wayOf(other) === wayOf(item)))) return;
  throw errors
    .notImplemented(
      `Expanding ${nameOf(item)} in some of the sequences of concat, where items of a collection lead there,`,
      'Write expand behind concat.',
    )
    .at('$apply');
}

function namesOf({ path }: AppliedExpand): readonly string[] {
  return path.map(({ name }) => name);
}

// What other sequences expand, and this one only leads to.
function unshown(relation: Relation, relations: readonly Relation[], container: EntityContainer): readonly AppliedExpand[] {
  const shown = new Set(relation.expands.map((item) => linkOf(item, relation, container)));
  const others = relations
    .flatMap(({ expands }) => expands)
    .filter((item) => {
      const name = linkOf(item, relation, container);
      return !shown.has(name) && linkNames(name, relation).length > 0;
    });
  return others.map(({ path }) => ({ path, options: {}, silent: true }));
}

/** Whether a row of one of the sequences is shown what is expanded in this way. */
export function presenceIn(relation: Relation, item: AppliedExpand, alias: string, container: EntityContainer): TypedExpr {
  const known = [...relation.expands, ...unshown(relation, [{ ...relation, expands: [item] }], container)].find(
    (other) => wayOf(other) === wayOf(item),
  );
  const column = known && (known.presence ?? linkPresence(linkOf(known, relation, container), relation));
  if (column !== undefined) return columnAt(alias, { column, type: 'Edm.Boolean', nullable: false });
  return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: known !== undefined };
}

// What is asked, without the places in the text.
function wayOf({ path, options, silent }: AppliedExpand): string {
  return JSON.stringify([nameOf({ path }), options, silent], (key, value: unknown) => (key === 'at' ? undefined : value));
}
