import { linkPresence, nameOf } from '../links.js';
import { columnAt, type MadeExpand, type Relation } from '../relation.js';
import type { TypedExpr } from '../typed-expr.js';

/**
 * What the sequences of `concat` expand, each way once. Where they do not all expand a navigation property in one way,
 * each way has a column that tells its rows.
 */
export function sharedExpands(relations: readonly Relation[], alias: string): readonly MadeExpand[] {
  const ways = new Map<string, MadeExpand>();
  for (const item of relations.flatMap(({ expands }) => expands)) ways.set(wayOf(item), ways.get(wayOf(item)) ?? item);
  const names = [...ways.values()].map(nameOf);
  return [...ways.values()].map((item, index): MadeExpand => {
    const onlyWay = item.presence === undefined && names.indexOf(nameOf(item)) === names.lastIndexOf(nameOf(item));
    return onlyWay ? item : { ...item, presence: `#.${alias}.e${index}` };
  });
}

/** Whether a row of one of the sequences is shown what is expanded in this way. */
export function presenceIn(relation: Relation, item: MadeExpand, alias: string): TypedExpr {
  const known = relation.expands.find((other) => wayOf(other) === wayOf(item));
  const column = known && (known.presence ?? linkPresence(nameOf(known), relation));
  if (column !== undefined) return columnAt(alias, { column, type: 'Edm.Boolean', nullable: false });
  return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: known !== undefined };
}

// What is asked, without the places in the text.
function wayOf(item: MadeExpand): string {
  return JSON.stringify([nameOf(item), item.options], (key, value: unknown) => (key === 'at' ? undefined : value));
}
