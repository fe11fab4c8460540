import type { Column, Table } from '../../runtime/schema/schema.js';
import { changeType } from './change-type.js';
import { lookingFor } from './row-steps.js';
import { itemsOf, keptHomes, movesOf, type Home } from './moves.js';
import type { Decisions, Step } from './step.js';

/**
 * Collections of texts are arrays without a length limit. Items that are too long for the new model are looked for
 * before anything is changed, and again once no service of the old model writes.
 */
export function checkItems(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return keptHomes(old, wanted, movesOf(old, wanted, decisions)).flatMap(({ former, home }) => {
    const change = narrowing(former.column, home);
    if (change === undefined) return [];
    const looked = { table: wanted.name, name: home.column.name, why: change.why };
    return [lookingFor('expand', looked, longerThan(former, change.most)), lookingFor('contract', looked, longerThan(home, change.most))];
  });
}

interface Shorter {
  /** The maximum length of an item. */
  readonly most: string;
  readonly why: string;
}

// A new column has no texts of before.
function narrowing(old: Column, { column: { name, type, items }, shared }: Home): Shorter | undefined {
  const text = items ?? (shared === undefined ? '' : type);
  const most = /^varchar\((\d+)\)$/.exec(text)?.[1];
  if (most === undefined || changeType(old, { name, type }) === undefined) return undefined;
  const change = changeType({ name, type: old.items ?? old.type.replace(/\[\]$/, '') }, { name, type: text });
  return change?.effect === 'checked' ? { most, why: change.why } : undefined;
}

function longerThan(home: Home, most: string): string {
  return `, unnest(${itemsOf(home, '"row".')}) as "item" where length("item") > ${most}`;
}
