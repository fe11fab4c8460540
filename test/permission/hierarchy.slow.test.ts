import test, { type ExecutionContext } from 'ava';
import { startToy, type Callers, type ToyService } from '../toy/toy-service.js';

const callers: Callers = Object.fromEntries(
  ['reader', 'admin', 'coder', 'nameless'].map((scope) => [scope, { subject: scope, scopes: new Set([scope]) }]),
);

/** Nodes with their parents; lower case letters are seen by all. */
const seenNodes = `(1, 'a', 1, false, null), (3, 'c', 3, false, 2), (4, 'd', 4, false, 3), (6, 'y', 2, false, 5), (7, 'z', 1, false, 6)`;
const sales = `(1, 1, 4), (2, 2, 2), (3, 3, 7), (4, 4, 8), (5, 5, null), (6, 6, 2), (7, 7, 3), (8, 8, 6)`;

// A hidden node in the middle, at the root and as a leaf; in the other database they are others, elsewhere, and more.
const hiddenNodes = [
  `(2, 'B', 2, true, 1), (5, 'X', 0, true, null), (8, 'W', 1, true, 7)`,
  `(2, 'Q', 9, true, 4), (5, 'B', 0, true, 1), (8, 'V', 0, true, 2), (9, 'W', 5, true, 7), (10, 'X', 5, true, 6), (11, 'U', 5, true, null)`,
];

let services: readonly [ToyService, ToyService];
test.before(async () => {
  services = [await startToy('test/toy/bosses.xml', callers), await startToy('test/toy/bosses.xml', callers)];
  for (const [index, { sequelize }] of services.entries()) {
    await sequelize.query(`insert into "Org" ("#id", "ID", "Rank", "Secret", "#Boss") values ${seenNodes}, ${hiddenNodes[index] ?? ''}`);
    await sequelize.query(`update "Org" set "Code" = upper("ID")`);
    await sequelize.query(`insert into "Sale" ("#id", "ID", "#Org") values ${sales}`);
    for (const [from, to] of [
      [4, 2],
      [2, 1],
      [6, 3],
      [3, 1],
      ...(index === 0
        ? []
        : [
            [1, 8],
            [8, 4],
          ]),
    ])
      await sequelize.query(`insert into "#Org_Advisers" values (${from}, ${to})`);
  }
  // The sales of what is hidden are of others.
  await services[1].sequelize.query(
    `update "Sale" set "#Org" = case "ID" when 2 then 8 when 4 then 9 when 6 then 11 end where "ID" in (2, 4, 6)`,
  );
});
test.after.always(() => Promise.all(services.map((service) => service.stop())));

const functions = ['isnode', 'isroot', 'isleaf'].flatMap((name) =>
  ['Node=ID', "Node='B'", "Node='c'"].map(
    (node) => `/Orgs?$filter=Aggregation.${name}(HierarchyNodes=$root/Orgs,HierarchyQualifier='Bosses',${node})`,
  ),
);
const relations = [
  "isdescendant(NODES,Node=ID,Ancestor='a'",
  "isdescendant(NODES,Node='d',Ancestor='B'",
  "isancestor(NODES,Node=ID,Descendant='d'",
  "isancestor(NODES,Node='X',Descendant=ID",
  "isdescendant(NODES,Node=ID,Ancestor='B',IncludeSelf=true",
  "isdescendant(NODES,Node=ID,Ancestor='a',MaxDistance=2",
].map((call) => `/Orgs?$filter=Aggregation.${call.replace('NODES', "HierarchyNodes=$root/Orgs,HierarchyQualifier='Bosses'")})`);
const walks = ['ancestors', 'descendants'].flatMap((walk) =>
  ["ID eq 'a'", "ID eq 'd'", "ID eq 'B' or ID eq 'X'", 'true', "Boss/ID eq 'B'", 'Boss eq null'].flatMap((start) =>
    ['', ',keep start', ',2'].flatMap((rest) =>
      ['Bosses', 'Advisers'].map((name) => `/Orgs?$apply=${walk}($root/Orgs,${name},ID,filter(${start})${rest})&$count=true`),
    ),
  ),
);
const others = [
  "/Orgs?$apply=descendants($root/Orgs,Codes,Code,filter(ID eq 'a'),keep start)",
  '/Orgs?$apply=descendants($root/Orgs,Bosses,ID,filter(true))/aggregate($count as N,Rank with max as M)',
  ...['preorder', 'postorder,Rank desc', 'preorder,Boss/Rank,ID desc', 'postorder,Minions/$count'].flatMap((order) => [
    `/Orgs?$apply=traverse($root/Orgs,Bosses,ID,${order})&$top=3`,
    `/Sales?$apply=traverse($root/Orgs,Bosses,Org/ID,${order})`,
  ]),
  '/Sales?$apply=descendants($root/Orgs,Bosses,Org/ID,filter(ID eq 2 or ID eq 7),keep start)',
  '/Sales?$apply=ancestors($root/Orgs,Bosses,Org/ID,filter(ID in (1,4)),keep start)',
];
const groups = [
  '/Sales?$apply=groupby((Org/ID),aggregate($count as N))',
  '/Sales?$apply=groupby((Org/Boss/ID))&$count=true',
  '/Sales?$apply=groupby((Org/ID),aggregate($count as N))&$filter=Org/ID eq null',
  '/Sales?$apply=concat(groupby((Org/ID)),groupby((Org/Boss/ID)))',
  '/Sales?$apply=aggregate(Org with countdistinct as N,Org/$count as M)',
  '/Orgs?$apply=traverse($root/Orgs,Bosses,ID,preorder,filter(Rank gt 1))',
  '/Orgs?$apply=descendants($root/Orgs/$filter(Boss ne null),Bosses,ID,filter(true),keep start)',
];

const nodes = '$root/Orgs,Bosses';
const siblings = ["Node=ID,Other='c'", "Node=ID,Other='B'", "Node='B',Other=ID", 'Node=ID,Other=Boss/ID'].flatMap((parameters) =>
  ['Bosses', 'Advisers'].map(
    (name) => `/Orgs?$filter=Aggregation.issibling(HierarchyNodes=$root/Orgs,HierarchyQualifier='${name}',${parameters})`,
  ),
);
const subsets = ['filter(Minions/$count gt 0)', 'topcount(2,Rank)', `descendants(${nodes},ID,filter(ID eq 'B'),keep start)`].flatMap(
  (subset) => [`/Orgs?$apply=traverse(${nodes},ID,preorder,${subset})`],
);
for (const [what, paths] of Object.entries({ functions, relations, walks, others, groups, siblings, subsets })) {
  test.serial(`nodes out of sight change nothing: ${what}`, async (t) => {
    let different = 0;
    for (const path of paths) {
      different += (await both(path, 'admin')).distinct;
      const {
        answers: [one, another],
      } = await both(path, 'reader');
      t.is(one, another, path);
      t.regex(one ?? '', /^200 /, path);
      t.notRegex(one ?? '', /"(ID|Code)":"[BQUVWX]"/, path);
    }
    t.true(different > 0, 'whoever may see them does see the difference');
  });
}

async function both(path: string, caller: string): Promise<{ readonly answers: readonly string[]; readonly distinct: number }> {
  const answers = await Promise.all(services.map((service) => ask(service, path, caller)));
  return { answers, distinct: answers[0] === answers[1] ? 0 : 1 };
}

async function ask({ root }: ToyService, path: string, caller: string): Promise<string> {
  const response = await fetch(root + path.replaceAll(' ', '%20'), {
    headers: { Authorization: `Bearer ${caller}`, 'X-Request-Id': 'same' },
  });
  return `${response.status} ${(await response.text()).replaceAll(root, '').replace(/(\$skiptoken=)[\w-]+/g, '$1')}`;
}

// prettier-ignore
/** The answers to a caller without a property; a filter on it finds nothing. */
const restricted: readonly (readonly [caller: string, path: string, answer: RegExp])[] = [
  ['coder', "/Orgs?$apply=descendants($root/Orgs,Codes,Code,filter(ID eq 'a'))", /^403 .*use of Code here/s],
  ['coder', "/Orgs?$apply=descendants($root/Orgs,Bosses,ID,filter(Code eq 'A'))", /"value":\[\]/],
  ['coder', '/Orgs?$apply=traverse($root/Orgs,Bosses,ID,preorder,Code)', /^403 .*use of Code here/s],
  ['coder', "/Orgs?$filter=Aggregation.isnode(HierarchyNodes=$root/Orgs,HierarchyQualifier='Codes',Node='A')", /"value":\[\]/],
  ['coder', "/Orgs?$filter=not Aggregation.isnode(HierarchyNodes=$root/Orgs,HierarchyQualifier='Codes',Node='none')", /"value":\[\]/],
  ['coder', "/Orgs?$filter=Aggregation.isnode(HierarchyNodes=$root/Orgs/$filter(Code eq 'A'),HierarchyQualifier='Bosses',Node='a')", /"value":\[\]/],
  ['coder', '/Orgs?$apply=traverse($root/Orgs,Bosses,ID,preorder)', /^200 (?!.*"Code")/s],
  ['nameless', "/Orgs?$apply=descendants($root/Orgs,Bosses,ID,filter(Rank eq 1))", /^403 .*use of ID here/s],
  ['nameless', "/Orgs?$filter=Aggregation.isroot(HierarchyNodes=$root/Orgs,HierarchyQualifier='Bosses',Node='a')", /"value":\[\]/],
  ['nameless', "/Orgs?$filter=not Aggregation.issibling(HierarchyNodes=$root/Orgs,HierarchyQualifier='Bosses',Node='c',Other='a')", /"value":\[\]/],
  ['coder', '/Sales?$apply=groupby((Org/ID))', /^403 .*Reading Sale/s],
];

test.serial('a record is walked to once, even where two nodes have one value', async (t) => {
  const [{ sequelize }] = services;
  await sequelize.query(`update "Org" set "Code" = 'D' where "ID" = 'c'`);
  const { value } = JSON.parse(
    (await ask(services[0], '/Orgs?$select=ID&$apply=traverse($root/Orgs,Codes,Code,preorder)', 'reader')).slice(4),
  ) as { value: readonly { ID: string }[] };
  t.deepEqual(
    value.map(({ ID }) => ID),
    ['a', 'c', 'd', 'y', 'z'],
  );
});

/** A hidden complex value hides where it leads. */
const withinHidden: readonly (readonly [path: string, answer: RegExp])[] = [
  ...[
    '/Orgs(KEY)/Seat/Deputy',
    '/Orgs(KEY)/Seat/Deputy/$ref',
    '/Orgs(KEY)/Seat/Guests',
    '/Orgs(KEY)/Seat/Guests/$count',
    '/Orgs?$orderby=Seat/Deputy/ID',
    '/Orgs?$orderby=Seat/Guests/$count',
    '/Orgs?$compute=Seat/Deputy/ID as X&$select=X',
    '/Orgs?$apply=groupby((Seat/Deputy/ID))',
    '/Orgs?$apply=aggregate(Seat/Guests/$count as N)',
    '/Orgs?$apply=aggregate(Seat/Deputy/Rank with max as M)',
    '/Orgs?$apply=aggregate(Seat/Guests/Rank with max as M)',
  ].map((path) => [path.replace('KEY', "'a'"), /^403 .*use of Seat here/s] as const),
  ...[
    "Seat/Deputy/ID eq 'd'",
    "not (Seat/Deputy/ID eq 'd')",
    'Seat/Deputy eq null',
    "Seat/Guests/any(g:g/ID eq 'd')",
    'Seat/Guests/$count eq 0',
    'Minions/any(m:m/Seat/Deputy/ID eq null)',
  ].map((filter) => [`/Orgs?$filter=${filter}`, /^200 .*"value":\[\]/s] as const),
  ['/Orgs?$expand=Seat/Deputy', /^403 .*use of Seat here/s],
  ['/Orgs?$expand=Seat/Deputy&$select=ID,Seat', /^403 .*use of Seat here/s],
];

test.serial('what a hidden complex value leads to is hidden', async (t) => {
  for (const [path, answer] of withinHidden) {
    t.regex(await ask(services[0], path, 'coder'), answer, path);
    if (!path.includes('$expand=Seat/Deputy&')) t.notRegex(await ask(services[0], path, 'admin'), /^403/, path);
  }
});

test.serial('a hidden property identifies no node and orders none', async (t: ExecutionContext) => {
  for (const [caller, path, answer] of restricted) t.regex(await ask(services[0], path, caller), answer, `${caller}: ${path}`);
});
