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
    // Only the first item stays where there will be one.
    const kept = isMany(former) && !isMany(home) ? '[1:1]' : '';
    return [
      lookingFor('expand', looked, itemsWhere(former, kept, found.misfits)),
      lookingFor('contract', looked, itemsWhere(home, '', found.misfits)),
    ];
  });
}

function isMany({ column }: Home): boolean {
  return column.type.endsWith('[]');
}

function itemsWhere(home: Home, kept: string, misfits: string): string {
  const items = itemsOf(home, '"row".');
  return `, unnest(${kept === '' ? items : `(${items})${kept}`}) as "item" where ${misfits}`;
}
