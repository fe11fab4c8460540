import test from 'ava';
import { withConnection } from '../../runtime/database/run.js';
import { planPath } from '../../runtime/plan/read/plan-path.js';
import { planCollection } from '../../runtime/plan/read/plan-read.js';
import { createAliases } from '../../runtime/plan/scope.js';
import { compileExpandedCount } from '../../runtime/sql/compile-read.js';
import { parseQueryOptions } from '../../runtime/uri/parse-query-options.js';
import { parseResourcePath } from '../../runtime/uri/parse-resource-path.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

let service: ToyService;

// All are contained in the first one, itself as well, so that few rows have many relations.
test.before(async () => {
  service = await startToy('test/toy/shelf.xml');
  await run(`insert into "Shelf" ("Id", "OuterId") values ('s0', 's0')`);
  await run(`insert into "Shelf" ("Id", "OuterId") select 's' || i, 's0' from generate_series(1, 519) i`);
  await run(`insert into "Book" ("Id", "ShelfId") select i, 's' || i % 4 from generate_series(1, 12) i`);
  await run('analyze');
});

test.after.always(() => service.stop());

const run = (text: string): Promise<readonly (readonly (string | null)[])[]> =>
  withConnection(service.pool, (connection) => connection.run({ text, bind: [] }));

interface Answer {
  readonly status: number;
  readonly body: {
    readonly error?: { readonly code: string; readonly message: string; readonly target: string };
    readonly value?: readonly object[];
  };
}

async function read(url: string): Promise<Answer> {
  const response = await fetch(`${service.root}${url}`);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

test('8 expansions that multiply are bounded in all, before they are read', async (t) => {
  for (const url of [
    "/Shelves('s0')?$expand=Inner($expand=Outer($expand=Inner))",
    "/Shelves?$filter=Id eq 's0'&$expand=Inner($expand=Outer($expand=Inner))",
  ]) {
    const { status, body } = await read(url);
    t.is(status, 400);
    t.like(body.error, {
      code: '1044',
      target: '$expand',
      message:
        '$expand results in more than 250000 records in one response; write $top or $filter within $expand, or request a smaller page.',
    });
  }
});

test('8 and within the bounds they are given', async (t) => {
  const { status, body } = await read("/Shelves('s0')?$expand=Inner($top=3;$expand=Outer($expand=Inner($top=50)))");
  t.is(status, 200, body.error?.message);
});

const expands = [
  'Inner',
  'Books',
  'Inner,Books',
  'Outer',
  'Outer($expand=Outer,Books)',
  'Inner($top=2;$expand=Books($filter=Id gt 3;$orderby=Id desc;$skip=1))',
  'Books/$count,Outer',
  'Inner/$ref',
  'Outer($expand=Inner($filter=Id lt $it/Id;$top=4;$expand=Books))',
  'Inner($levels=2;$top=3)',
];

for (const expand of expands) {
  test(`what is counted is what is expanded: ${expand}`, async (t) => {
    const query = `$top=5&$skip=1&$orderby=Id&$expand=${expand}`;
    const { body } = await read(`/Shelves?${query}`);
    t.deepEqual(
      await counted(query),
      body.value?.reduce((sum, record) => sum + beneath(record), 0),
    );
  });
}

async function counted(query: string): Promise<number> {
  const aliases = createAliases();
  const context = {
    container: service.container,
    caller: { subject: 'toy', scopes: new Set(['toy']) },
    aliases,
    settings: { overTop: 'reject' },
  } as const;
  const target = planPath(parseResourcePath('/Shelves'), context);
  if (target.kind !== 'collection') throw new Error('Shelves is a collection.');
  const { read: plan, size } = planCollection(target, parseQueryOptions(query).options, context);
  const [row] = await withConnection(service.pool, (connection) => connection.run(compileExpandedCount({ ...plan, limit: size }, 250_000)));
  return Number(row?.[0]);
}

// Every object within a record is one that was expanded.
function beneath(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.reduce<number>(
    (sum, member) => sum + beneath(member) + (typeof member === 'object' && member !== null && !Array.isArray(member) ? 1 : 0),
    0,
  );
}
