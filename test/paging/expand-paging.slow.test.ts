// Depends on PostgreSQL: SQL.

import test from 'ava';
import { faultOf, fc } from '../support/fast-check.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Statement } from '../../runtime/sql/statement.js';
import { evaluate, scopeOf, type Entity } from '../differential/evaluate.js';
import { compareRecords, expandOfCase, expandedCase, type ExpandedCase } from '../differential/paged-case.js';
import { entitiesOf, insertOf, itemRows, loadRows, type ItemRow } from '../differential/records.js';
import { isNum, whole, type Value } from '../differential/values.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

test.before(async () => {
  service = await startToy('test/differential/model.xml');
});

test.after.always(() => service.stop());

const rowsWithParts = itemRows({ min: 3, max: 6 }, 9);

const load = (rows: readonly ItemRow[]): Promise<void> => withConnection(service.pool, (connection) => loadRows(rows, connection));
const run = async (statement: Statement): Promise<void> => {
  await withConnection(service.pool, (connection) => connection.run(statement));
};

interface Part {
  readonly No: number;
}

interface Item {
  readonly Id: number;
  readonly Parts?: readonly Part[];
  readonly 'Parts@odata.nextLink'?: string;
  readonly Other?: Item | null;
}

interface Page<Of> {
  readonly value?: readonly Of[];
  readonly '@odata.nextLink'?: string;
  readonly error?: { readonly message: string };
}

// The model cuts pages at three, so most collections continue with separate links.
test.serial('4.5 an expanded collection and the links behind it give every record once, in order', async (t) => {
  let links = 0;
  const check = async (rows: readonly ItemRow[], expanded: ExpandedCase): Promise<void> => {
    await load(rows);
    const found = await read(expanded, () => Promise.resolve((links += 1)));
    for (const entity of entitiesOf(rows)) requireSame(expanded, found.get(numberOf(entity, 'Id')), expectedParts(entity, expanded));
  };
  const details = await fc.check(fc.asyncProperty(rowsWithParts, expandedCase, check), { numRuns: 120, seed: 1 });
  t.is(faultOf(details), undefined, faultOf(details));
  t.true(links > 300, `only ${links} links`);
});

// Between two pages a part is inserted, and one of the parts with an even number is changed or deleted.
test.serial('4.5 expanded records that writers leave alone come once', async (t) => {
  let writes = 0;
  const check = async (rows: readonly ItemRow[], expanded: ExpandedCase): Promise<void> => {
    await load(rows);
    const spare = rows.flatMap(({ parts }) => parts);
    const write = async (): Promise<void> => {
      const [values, victim] = [spare[writes % (spare.length || 1)], spare[(writes * 7) % (spare.length || 1)]];
      writes += 1;
      if (values === undefined || victim === undefined) return;
      await run(insertOf('Part', [{ ...values, No: whole(1000 + writes) }]));
      if (isLeftAlone(Number((victim['No'] as { over: bigint }).over))) return;
      await run(writes % 3 === 0 ? deleteOf(victim) : updateOf(victim, values));
    };
    // An order by how many parts the item has would change for all of them.
    if (expandOfCase(expanded).includes(encodeURIComponent('Item/Parts/$count'))) return;
    const found = await read({ ...expanded, skip: undefined }, write);
    for (const entity of entitiesOf(rows)) {
      const expected = expectedParts(entity, { ...expanded, skip: undefined }).filter(isLeftAlone);
      requireSame(expanded, found.get(numberOf(entity, 'Id'))?.filter(isLeftAlone), expected);
    }
  };
  const details = await fc.check(fc.asyncProperty(rowsWithParts, expandedCase, check), { numRuns: 60, seed: 2 });
  t.is(faultOf(details), undefined, faultOf(details));
  t.true(writes > 100, `only ${writes} writes`);
});

const isLeftAlone = (number: number): boolean => number < 1000 && number % 2 === 1;

/** The parts by item, as a client gathers them; `betweenPages` is called before each link is followed. */
async function read(expanded: ExpandedCase, betweenPages: () => Promise<unknown>): Promise<ReadonlyMap<number, readonly number[]>> {
  const found = new Map<number, readonly number[]>();
  for (const item of await readPage<Item>(`${service.root}/Items?$select=Id&$top=100&${expandOfCase(expanded)}`)) {
    const owner = expanded.through === undefined ? item : item.Other;
    found.set(item.Id, owner ? await readParts(owner, betweenPages) : []);
  }
  return found;
}

async function readParts(owner: Item, betweenPages: () => Promise<unknown>): Promise<readonly number[]> {
  const parts = [...(owner.Parts ?? [])];
  for (let link = owner['Parts@odata.nextLink']; link !== undefined;) {
    await betweenPages();
    const page = await readJson<Page<Part>>(link);
    if (page.value === undefined) throw new Error(`${decodeURIComponent(link)}: ${page.error?.message}`);
    parts.push(...page.value);
    link = page['@odata.nextLink'];
    if (parts.length > 500) throw new Error('The links do not end.');
  }
  return parts.map(({ No }) => No);
}

async function readPage<Of>(url: string): Promise<readonly Of[]> {
  const { value, error } = await readJson<Page<Of>>(url);
  if (value === undefined) throw new Error(`${decodeURIComponent(url)}: ${error?.message}`);
  return value;
}

async function readJson<Json>(url: string): Promise<Json> {
  const response: Response = await fetch(url);
  return (await response.json()) as Json;
}

function expectedParts(entity: Entity, { filter, order, skip, through }: ExpandedCase): readonly number[] {
  const owner = through === undefined ? entity : entity.one[through];
  const parts = (owner?.many['Parts'] ?? []).filter((part) => filter === undefined || evaluate(filter, scopeOf(part)) === true);
  return [...parts]
    .sort((left, right) => compareRecords(left, right, order, 'No'))
    .slice(skip ?? 0)
    .map((part) => numberOf(part, 'No'));
}

function requireSame(expanded: ExpandedCase, actual: readonly number[] | undefined, expected: readonly number[]): void {
  if (actual?.join(' ') !== expected.join(' '))
    throw new Error(`${decodeURIComponent(expandOfCase(expanded))}\nexpected ${expected.join(' ')}\ncame     ${actual?.join(' ')}`);
}

function numberOf({ values }: Entity, name: string): number {
  const value = values[name] as Value;
  return isNum(value) ? Number(value.over) : 0;
}

function deleteOf(part: ItemRow['parts'][number]): Statement {
  return { text: 'delete from "Part" where "ItemId" = $1::integer and "No" = $2::integer', bind: keyOf(part) };
}

function updateOf(part: ItemRow['parts'][number], values: ItemRow['parts'][number]): Statement {
  const { text, bind } = insertOf('Part', [{ ...values, ItemId: part['ItemId'] ?? null, No: part['No'] ?? null }]);
  const columns = Object.keys(values).filter((column) => column !== 'ItemId' && column !== 'No');
  return {
    text: `${text} on conflict ("ItemId", "No") do update set ${columns.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`,
    bind,
  };
}

function keyOf(part: ItemRow['parts'][number]): readonly string[] {
  return ['ItemId', 'No'].map((name) => String((part[name] as { readonly over: bigint }).over));
}
