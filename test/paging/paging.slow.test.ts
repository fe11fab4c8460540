// Depends on PostgreSQL: SQL.

import test from 'ava';
import { faultOf, fc } from '../support/fast-check.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { compareRecords, pagedCase, queryOfCase, type PagedCase } from '../differential/paged-case.js';
import { evaluate, scopeOf } from '../differential/evaluate.js';
import { entitiesOf, itemRows, loadRows, type ItemRow } from '../differential/records.js';
import { idOf, walk } from '../differential/walk.js';
import { writersAtWork } from '../differential/writers.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/differential/model.xml');
});

test.after.always(() => service.stop());

const rowsToPage = fc.oneof(
  { weight: 1, arbitrary: itemRows({ min: 0, max: 3 }) },
  { weight: 5, arbitrary: itemRows({ min: 12, max: 25 }) },
);

const load = (rows: readonly ItemRow[]): Promise<void> => withConnection(service.pool, (connection) => loadRows(rows, connection));
const run = async (statement: Statement): Promise<void> => {
  await withConnection(service.pool, (connection) => connection.run(statement));
};

// The rows in the order of an in-memory sort are what one request gives, and what its pages give one after another.
test.serial('4.5 following nextLink gives every record once, in order', async (t) => {
  let pages = 0;
  const check = async (rows: readonly ItemRow[], paged: PagedCase): Promise<void> => {
    await load(rows);
    const expected = expectedOrder(rows, paged);
    const url = `${service.root}/Items?${queryOfCase(paged)}`;
    const walked = await walk(paged.top === undefined ? url : `${url}&$top=${paged.top}`, paged.maxpagesize);
    const whole = await walk(url, paged.maxpagesize);
    pages += walked.pages + whole.pages;
    requireSame(`${url} in pages of ${paged.maxpagesize}`, whole.ids, expected);
    const wanted = expected.slice(0, paged.top);
    requireSame(`${url}, at most ${paged.top} in pages of ${paged.maxpagesize}`, walked.ids, wanted);
    requireSame(url, (await walk(`${url}&$top=1000`)).ids, expected);
    requireSame(`the pages of ${url}`, [walked.pages], [Math.max(1, Math.ceil(wanted.length / paged.maxpagesize))]);
  };
  const details = await fc.check(fc.asyncProperty(rowsToPage, pagedCase, check), { numRuns: 150, seed: 1 });
  t.is(faultOf(details), undefined, faultOf(details));
  t.true(pages > 450, `only ${pages} pages`);
});

// Whatever writers do to others meanwhile, a record that is left alone comes exactly once.
test.serial('4.5 records that writers leave alone come once', async (t) => {
  let writes = 0;
  const check = async (rows: readonly ItemRow[], paged: PagedCase, seed: number): Promise<void> => {
    await load(rows);
    const writers = writersAtWork(rows, seed, (statement) => ((writes += 1), run(statement)));
    const url = `${service.root}/Items?${queryOfCase({ ...paged, skip: undefined })}`;
    const { ids } = await walk(url, paged.maxpagesize, writers.betweenPages);
    const expected = expectedOrder(rows, { ...paged, skip: undefined });
    requireSame(url, ids.filter(writers.isLeftAlone), expected.filter(writers.isLeftAlone));
  };
  const details = await fc.check(fc.asyncProperty(itemRows({ min: 20, max: 25 }), pagedCase, fc.nat(), check), { numRuns: 60, seed: 2 });
  t.is(faultOf(details), undefined, faultOf(details));
  t.true(writes > 200, `only ${writes} writes`);
});

function expectedOrder(rows: readonly ItemRow[], paged: PagedCase): readonly number[] {
  const found = entitiesOf(rows).filter((entity) => paged.filter === undefined || evaluate(paged.filter, scopeOf(entity)) === true);
  return [...found]
    .sort((left, right) => compareRecords(left, right, paged.order))
    .slice(paged.skip ?? 0)
    .map(idOf);
}

function requireSame(what: string, actual: readonly number[], expected: readonly number[]): void {
  if (actual.join(' ') !== expected.join(' '))
    throw new Error(`${decodeURIComponent(what)}\nexpected ${expected.join(' ')}\ncame     ${actual.join(' ')}`);
}
