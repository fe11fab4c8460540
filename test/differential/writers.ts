import { fc } from '../support/fast-check.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { entitiesOf, insertOf, itemRows, type ItemRow } from './records.js';
import { idOf } from './walk.js';
import { isNum, whole, type Value } from './values.js';

// Writers that went on would insert ahead of the reader for ever.
const mostWrites = 30;

/** Writers that change some of the records while others are read. */
interface Writers {
  readonly betweenPages: () => Promise<void>;
  readonly isLeftAlone: (id: number) => boolean;
}

/**
 * Between two pages each writer does one thing: a record is inserted, another gets all values anew, one is deleted.
 * Every third record, and all that lead to no other record, are theirs; what a to-one path reads must stand still too.
 */
export function writersAtWork(rows: readonly ItemRow[], seed: number, run: (statement: Statement) => Promise<void>): Writers {
  const fresh = (fc.sample(itemRows({ min: 30, max: 30 }), { seed, numRuns: 1 })[0] ?? []).map(({ cells }) => ({
    ...cells,
    OtherId: null,
  }));
  const targets = new Set(rows.map(({ cells }) => numberOf(cells['OtherId'] as Value)));
  const theirs = entitiesOf(rows)
    .map(idOf)
    .filter((id) => (id + seed) % 3 === 0 && !targets.has(id));
  let turn = 0;
  const betweenPages = async (): Promise<void> => {
    const values = fresh[turn % fresh.length];
    const victim = theirs[turn % (theirs.length || 1)];
    turn += 1;
    if (values === undefined || turn > mostWrites) return;
    await run(insertOf('Item', [{ ...values, Id: whole(1000 + turn) }]));
    if (victim !== undefined) await run(turn % 2 === 0 ? deleteOf(victim) : updateOf(victim, values));
  };
  return { betweenPages, isLeftAlone: (id) => id < 1000 && !theirs.includes(id) };
}

// The new values come the way they come in an insert.
function updateOf(id: number, values: Parameters<typeof insertOf>[1][number]): Statement {
  const { text, bind } = insertOf('Item', [{ ...values, Id: whole(id) }]);
  const columns = Object.keys(values).filter((column) => column !== 'Id');
  return {
    text: `${text} on conflict ("Id") do update set ${columns.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`,
    bind,
  };
}

function deleteOf(id: number): Statement {
  return {
    text: 'with parts as (delete from "Part" where "ItemId" = $1::integer) delete from "Item" where "Id" = $1::integer',
    bind: [String(id)],
  };
}

function numberOf(value: Value): number | undefined {
  return isNum(value) ? Number(value.over) : undefined;
}
