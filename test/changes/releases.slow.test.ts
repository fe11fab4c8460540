// Depends on PostgreSQL: DDL.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { MigrationTexts } from '../../generator/migrate/plan-migrations.js';
import { type Decisions, noDecisions } from '../../generator/migrate/step.js';
import { migrationsFolder, type ServedModel } from '../../runtime/config/served-model.js';
import { connect } from '../../runtime/database/connect.js';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { requestTable } from '../../runtime/features/service-tables.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { patient, testDatabase } from '../support/database.js';
import { compileModel, listenModel, temporaryFolder } from '../toy/toy-service.js';
import { pageAt } from './copy.js';

const first = readFileSync('test/changes/releases.xml', 'utf8');

/** Queries that are followed, by the names that the cases give them. */
const queries = {
  items: 'Items?',
  names: "Items?$select=Id,Name&$filter=Name ne 'x'",
  orders: 'Orders?',
  lines: 'Orders?$expand=Lines',
  boxes: 'Boxes?',
} as const;
type Query = keyof typeof queries;

/** Queries whose pages have one record, by the names that the cases give their next links. */
const pages = {
  byKey: 'Items',
  byName: 'Items?$orderby=Name desc,Id',
  byColor: 'Items?$orderby=Color',
  byPrice: 'Items?$orderby=Price',
  byShelf: 'Items?$orderby=Place/Shelf',
} as const;

type Edit = (model: string) => string;
const replaced =
  (from: string, to: string): Edit =>
  (model) => {
    if (!model.includes(from)) throw new Error(`The model has no ${from}`);
    return model.replace(from, to);
  };
const added = (type: string, text: string): Edit => replaced(`<EntityType Name="${type}"><Key><PropertyRef Name="Id"/></Key>`, `$&${text}`);
const inSet = (set: string, text: string): Edit => replaced(`<EntitySet Name="${set}" EntityType="self.Item">`, `$&${text}`);
const was = (name: string): string => `<Annotation Term="Rules.RenamedFrom" String="${name}"/>`;
const property = (name: string, former: string): string => `<Property Name="${name}" Type="Edm.String">${was(former)}</Property>`;

const scope = (restricted: string): string =>
  `<Annotation Term="Capabilities.ReadRestrictions"><Record><PropertyValue Property="Permissions"><Collection><Record><PropertyValue Property="SchemeName" String="Bearer"/><PropertyValue Property="Scopes"><Collection><Record><PropertyValue Property="Scope" String="toy"/>${restricted}</Record></Collection></PropertyValue></Record></Collection></PropertyValue></Record></Annotation>`;

/** Releases of the model in their order, with the links of the first one that the last one ends: to changes, and to next pages. */
const cases: readonly (readonly [
  title: string,
  ended: readonly Query[],
  cut: readonly string[],
  edits: readonly Edit[],
  decided?: Partial<Decisions>,
])[] = [
  ['a property of another type', ['boxes'], [], [added('Box', '<Property Name="Weight" Type="Edm.Int32"/>')]],
  [
    'a required property of another type, whose values are filled',
    ['boxes'],
    [],
    [replaced('<Property Name="Label" Type="Edm.String"/>', '<Property Name="Label" Type="Edm.String" Nullable="false"/>')],
    { fills: new Map([['Box/Label', "'none'"]]) },
  ],
  [
    'a type that refers to the records, and that they refer to',
    [],
    [],
    [
      (model) =>
        added(
          'Item',
          '<NavigationProperty Name="Reviews" Type="Collection(self.Review)" Partner="Item"/>',
        )(model)
          .replace(
            '<EntityType Name="Box">',
            '<EntityType Name="Review"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/><NavigationProperty Name="Item" Type="self.Item" Nullable="false" Partner="Reviews"/></EntityType>$&',
          )
          .replace('<EntityContainer Name="Container">', '$&<EntitySet Name="Reviews" EntityType="self.Review"/>'),
    ],
  ],
  [
    'a rule of writes',
    [],
    [],
    [
      inSet(
        'Items',
        '<Annotation Term="Capabilities.DeleteRestrictions"><Record><PropertyValue Property="Deletable" Bool="false"/></Record></Annotation>',
      ),
    ],
  ],
  ['an optional property of the records', ['items', 'names'], [], [added('Item', '<Property Name="Weight" Type="Edm.Int32"/>')]],
  ['a property of expanded records', ['lines'], [], [added('Line', '<Property Name="Weight" Type="Edm.Int32"/>')]],
  [
    'a renamed property',
    ['items', 'names'],
    ['byName is 400'],
    [replaced('<Property Name="Name" Type="Edm.String"/>', property('Label', 'Name'))],
  ],
  [
    'properties that exchange their names',
    ['items', 'names'],
    ['byName'],
    [
      replaced(
        '<Property Name="Name" Type="Edm.String"/>\n        <Property Name="Title" Type="Edm.String"/>',
        property('Name', 'Title') + property('Title', 'Name'),
      ),
    ],
  ],
  [
    'another type of a property',
    ['items', 'names'],
    ['byPrice'],
    [replaced('<Property Name="Price" Type="Edm.Int32"/>', '<Property Name="Price" Type="Edm.String"/>')],
  ],
  [
    'a property that becomes required, whose values are filled',
    ['items', 'names'],
    ['byName'],
    [replaced('<Property Name="Name" Type="Edm.String"/>', '<Property Name="Name" Type="Edm.String" Nullable="false"/>')],
    { fills: new Map([['Item/Name', "'none'"]]) },
  ],
  [
    'a property that is removed, and is there again in the next release',
    ['items', 'names'],
    [],
    [
      replaced('<Property Name="Title" Type="Edm.String"/>', ''),
      replaced('<Property Name="Price"', '<Property Name="Title" Type="Edm.String"/><Property Name="Price"'),
    ],
    { allowLossy: true },
  ],
  [
    'another value of an enumeration member',
    ['items', 'names'],
    [],
    [replaced('"Blue" Value="1"', '"Blue" Value="2"')],
    { allowLossy: true },
  ],
  ['a further member', ['items', 'names'], [], [replaced('<Member Name="Blue"', '<Member Name="Green" Value="2"/>$&')]],
  [
    'a property within a complex value',
    ['items', 'names'],
    [],
    [replaced('<Property Name="Width" Type="Edm.Int32"/>', '$&<Property Name="Height" Type="Edm.Int32"/>')],
  ],
  [
    'a row filter',
    ['items', 'names'],
    [],
    [
      inSet(
        'Items',
        `${scope('')}<Annotation Term="Rules.RowRules"><Collection><Record><PropertyValue Property="Scope" String="toy"/><PropertyValue Property="Filter" String="Price gt 1"/></Record></Collection></Annotation>`,
      ),
    ],
  ],
  [
    'a hidden property',
    ['items', 'names'],
    ['byName is 403'],
    [inSet('Items', scope('<PropertyValue Property="RestrictedProperties" String="*,-Name"/>'))],
  ],
  [
    'a derived type',
    ['items', 'names'],
    [],
    [
      replaced(
        '<EntityType Name="Order">',
        '<EntityType Name="Crate" BaseType="self.Item"><Property Name="Depth" Type="Edm.Int32"/></EntityType>$&',
      ),
    ],
  ],
  [
    'sets whose changes are no longer tracked',
    ['items', 'names'],
    [],
    [
      replaced(
        '<EntitySet Name="Items" EntityType="self.Item">\n          <Annotation Term="Capabilities.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true"/></Record></Annotation>',
        '<EntitySet Name="Items" EntityType="self.Item">',
      ),
    ],
  ],
];

for (const [title, ended, cut, edits, decided] of cases)
  test.serial(`a release ends the links that read what it changes, and no others: ${title}`, async (t) => {
    const { pool, folder } = await openScene(t);
    const releases = await compileReleases(edits, folder, { ...noDecisions, ...decided });
    const [former] = releases;
    const latest = releases.at(-1);
    if (former === undefined || latest === undefined) throw new Error('There are no releases.');
    await apply(former, pool);
    const before = await listen(t, former, pool);
    for (const set of ['Items', 'Orders', 'Boxes', 'Lines']) await send('POST', `${before}/${set}`, { Id: 1 });
    await send('POST', `${before}/Items`, { Id: 2 });
    const [links, nexts] = [await linksOf(before), await nextLinksOf(before)];
    for (const release of releases.slice(0, -1)) await apply(release, pool);
    await apply(latest, pool, 'backfill');
    const after = await listen(t, latest, pool);
    t.deepEqual([await endedAt(after, links), await endedAt(after, nexts)], [ended, cut]);
    await apply(latest, pool);
    t.deepEqual([await endedAt(after, links), await endedAt(after, nexts)], [ended, cut]);
  });

test.serial('a release ends next links in an order by more than properties of the records', async (t) => {
  const { pool, folder } = await openScene(t);
  const [former, latest] = await compileReleases([cases[0]?.[3][0] ?? String], folder, noDecisions);
  if (former === undefined || latest === undefined) throw new Error('There are no releases.');
  await apply(former, pool);
  const before = await listen(t, former, pool);
  for (const Id of [1, 2]) await send('POST', `${before}/Items`, { Id });
  const queries = { byLength: 'Items?$orderby=length(Name)', aggregated: 'Items?$apply=groupby((Id,Name))' };
  const links = await nextLinksOf(before, queries);
  t.deepEqual(await endedAt(before, links), []);
  await apply(latest, pool);
  t.deepEqual(await endedAt(await listen(t, latest, pool), links), Object.keys(queries));
});

test.serial('two releases behind one balancer serve each other’s links, and lose no change', async (t) => {
  const { pool, folder } = await openScene(t);
  const [former, latest] = await compileReleases([cases[0]?.[3][0] ?? String], folder, noDecisions);
  if (former === undefined || latest === undefined) throw new Error('There are no releases.');
  await apply(former, pool);
  const before = await listen(t, former, pool);
  const links = await linksOf(before);
  await apply(latest, pool, 'backfill');
  const after = await listen(t, latest, pool);
  const [first = '', second = ''] = [before, after];
  let link = links.items;
  const seen: unknown[] = [];
  for (let id = 1; id <= 6; id += 1) {
    // Every change is written to one release, and its page is read from either: a page of one record, then the others.
    await send('POST', `${id % 2 === 0 ? first : second}/Items`, { Id: 2 * id });
    await send('POST', `${id % 3 === 0 ? first : second}/Items`, { Id: 2 * id + 1 });
    for (let next: string | undefined = link, root = id % 2 === 0 ? second : first; next !== undefined;) {
      const page: Awaited<ReturnType<typeof pageAt>> = await pageAt(at(root, next), 'toy', 'track-changes,odata.maxpagesize=1');
      seen.push(...page.value.map((entry) => entry['Id']));
      next = page['@odata.nextLink'];
      link = page['@odata.deltaLink'] ?? link;
      root = root === first ? second : first;
    }
  }
  t.deepEqual(seen, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

interface ReleaseScene {
  readonly pool: ConnectionPool;
  readonly folder: string;
}

async function openScene(t: ExecutionContext): Promise<ReleaseScene> {
  const database = await testDatabase();
  const pool = connect(database.url, { ...patient, poolSize: 4 });
  const folder = temporaryFolder();
  t.teardown(async () => {
    await pool.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  return { pool, folder };
}

// Each release has the migrations of those before it.
async function compileReleases(edits: readonly Edit[], folder: string, decisions: Decisions): Promise<readonly ServedModel[]> {
  const releases: ServedModel[] = [];
  let [model, texts]: [string, MigrationTexts] = [first, new Map()];
  for (const edit of [String as Edit, ...edits]) {
    model = edit(model);
    const generated = join(folder, `release-${releases.length}`);
    mkdirSync(generated);
    const path = join(generated, 'model.xml');
    writeFileSync(path, model);
    const own = releases.length === 0 ? noDecisions : decisions;
    releases.push({ ...(await compileModel(path, generated, 'strict', { texts, decisions: own })), extensions: {}, generated });
    const names = readdirSync(migrationsFolder(generated));
    texts = new Map(names.map((name) => [`migrations/${name}`, readFileSync(join(migrationsFolder(generated), name), 'utf8')]));
  }
  return releases;
}

function apply({ generated }: ServedModel, pool: ConnectionPool, until: 'backfill' | 'contract' = 'contract'): Promise<unknown> {
  return migrate(pool, migrationsFolder(generated), [requestTable], { until });
}

async function listen(t: ExecutionContext, release: ServedModel, pool: ConnectionPool): Promise<string> {
  const { root, close } = await listenModel(release, pool);
  t.teardown(close);
  return root;
}

async function send(method: string, url: string, body: object): Promise<void> {
  const response = await fetch(url, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url} is ${response.status}: ${await response.text()}`);
}

async function linksOf(root: string): Promise<Record<Query, string>> {
  const links = Object.entries(queries).map(async ([name, query]) => {
    const { '@odata.deltaLink': link } = await pageAt(`${root}/${query}`, 'toy', 'track-changes');
    return [name, link?.slice(root.length) ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(links)) as Record<Query, string>; // Of all queries.
}

// Pages have one record.
async function nextLinksOf(root: string, queries: Readonly<Record<string, string>> = pages): Promise<Readonly<Record<string, string>>> {
  const links = Object.entries(queries).map(async ([name, query]) => {
    const { '@odata.nextLink': link } = await pageAt(`${root}/${query}`, 'toy', 'maxpagesize=1');
    if (link === undefined) throw new Error(`${query} has no next link.`);
    return [name, link] as const;
  });
  return Object.fromEntries(await Promise.all(links));
}

// A link at another process.
function at(root: string, link: string): string {
  return `${root}${link.replace(/^http:\/\/[^/]*\/odata/, '')}`;
}

/** The names of the links that are 410, and of those that are another error with it; all others are answered. */
async function endedAt(root: string, links: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const [name, link] of Object.entries(links)) {
    const { status, headers } = await fetch(at(root, link), { headers: { Prefer: 'track-changes' } });
    if (status === 410 && link.includes('$deltatoken=') && headers.get('location') === null) throw new Error(`${name} has no Location`);
    if (status !== 200) ended.push(status === 410 ? name : `${name} is ${status}`);
  }
  return ended;
}
