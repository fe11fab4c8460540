import type { Table } from '../../runtime/schema/schema.js';
import { lookingFor } from './row-steps.js';
import { itemsOf, keptHomes, movesOf, type Home } from './moves.js';
import { narrower } from './narrower.js';
import type { Decisions, Step } from './step.js';

/**
 * Columns accept more values than the model: texts of any length in collections, and each number and all binary data of
 * the SQL type. Values that are too large for the new model are looked for before anything is changed, and again once
 * no service of the old model writes.
 */
export function checkItems(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return keptHomes(old, wanted, movesOf(old, wanted, decisions)).flatMap(({ former, home }) => {
    const found = narrower(former.column, home);
    if (found === undefined) return [];
    const looked = { table: wanted.name, name: home.column.name, why: found.why };
    return [
      lookingFor('expand', looked, itemsWhere(former, found.misfits)),
      lookingFor('contract', looked, itemsWhere(home, found.misfits)),
    ];
  });
}

function itemsWhere(home: Home, misfits: string): string {
  return `, unnest(${itemsOf(home, '"row".')}) as "item" where ${misfits}`;
}
