import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import test from 'ava';
import { modelExplanations } from '../../generator/explanations.js';
import type { OutputFile } from '../../generator/output/header.js';
import { releasesIn } from '../../generator/portal/changes-page.js';
import { emitPortal } from '../../generator/portal/emit-portal.js';
import { collectionExamples, functionExamples } from '../../generator/portal/functions-page.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { methods } from '../../runtime/expression/methods.js';
import { attributeOf, type Element, graphOf, parsePage } from './portal.js';

const changelog =
  '# Changelog\n\n## [1.1.0]\n\n### Model\n- **Breaking**, `property-removed`: `Order/Old`: it is gone.\n\n### Other\n- x\n\n## 1.0.0\n- y\n';
const models: readonly { readonly name: string; readonly files: readonly OutputFile[]; readonly limit: number }[] = [
  { name: 'orders', files: emitPortal(graphOf('test/portal/orders.xml'), { changelog }), limit: 60_000 },
  { name: 'listing', files: emitPortal(graphOf('model/metadata.xml')), limit: 80_000 },
];

// The files with the most of the model, as they are written.
for (const path of [
  'sets/Orders.html',
  'types/Shop.Address.html',
  'operations.html',
  'changes.html',
  'search.json',
  'llms.txt',
  'requests.http',
  'Orders.pq',
  'Orders.odc',
])
  test(`the file ${path} of a small model`, (t) => {
    const whole = models[0]?.files.find((file) => file.path === path)?.text ?? '';
    // The frame is that of the first.
    const text = path.startsWith('sets/') ? whole : (/<main[\s\S]*<\/main>\n/.exec(whole)?.[0] ?? whole);
    const expected = `test/portal/expected/${path.replace('/', '-')}`;
    if (process.env['UPDATE'] === '1') writeFileSync(expected, text);
    t.is(text, existsSync(expected) ? readFileSync(expected, 'utf8') : '', `${expected}; UPDATE=1 rewrites it`);
  });

for (const { name, files, limit } of models) {
  const pages = files.filter(({ path }) => path.endsWith('.html')).map(({ path, text }) => ({ path, text, ...parsePage(text) }));

  test(`${name}: every page is well-formed, and names an id once`, (t) => {
    t.deepEqual(
      pages.flatMap(({ path, faults }) => faults.map((fault) => `${path}: ${fault}`)),
      [],
    );
    for (const { path, elements } of pages) {
      const ids = idsOf(elements);
      t.is(new Set(ids).size, ids.length, path);
    }
  });

  test(`${name}: every link leads to a page and to an anchor that exist`, (t) => {
    const anchors = new Map(pages.map(({ path, elements }) => [path, new Set(idsOf(elements))]));
    const others = new Set(files.map(({ path }) => path));
    const wrong = pages.flatMap(({ path, elements }) =>
      elements
        .flatMap((element) => linksOf(element))
        .filter((link) => {
          const [target = '', anchor] = link.split('#');
          const file = target === '' ? path : posix.join(posix.dirname(path), decodeURI(target));
          return !others.has(file) || (anchor !== undefined && !anchors.get(file)?.has(decodeURIComponent(anchor)));
        })
        .map((link) => `${path}: ${link}`),
    );
    t.deepEqual(wrong, []);
  });

  test(`${name}: links to other parts of the service are beside the documentation`, (t) => {
    const targets = pages.flatMap(({ path, elements }) =>
      elements
        .filter((element) => attributeOf(element, 'data-if-there') !== undefined)
        .map((element) => new URL(attributeOf(element, 'href') ?? '', `https://a.example/docs/${path}`).pathname),
    );
    t.deepEqual([...new Set(targets)].toSorted(), ['/explorer/', '/openapi.json']);
  });

  test(`${name}: a page needs nothing that its policy forbids`, (t) => {
    const wrong = pages.flatMap(({ path, elements }) =>
      elements
        .filter(
          (element) =>
            element.attrs.some((attribute) => attribute.name === 'style' || attribute.name.startsWith('on')) ||
            (element.tagName === 'script' && attributeOf(element, 'src') === undefined) ||
            element.tagName === 'style',
        )
        .map(({ tagName }) => `${path}: ${tagName}`),
    );
    t.deepEqual(wrong, []);
    const outside = pages.flatMap(({ elements }) =>
      elements.flatMap((element) =>
        ['script', 'link', 'img'].includes(element.tagName) ? [attributeOf(element, 'src') ?? attributeOf(element, 'href') ?? ''] : [],
      ),
    );
    t.deepEqual(
      outside.filter((address) => /^https?:|^\/\//.test(address)),
      [],
    );
  });

  test(`${name}: a search finds names where they are`, (t) => {
    const index = JSON.parse(files.find(({ path }) => path === 'search.json')?.text ?? '[]') as readonly Entry[];
    const anchors = new Map(pages.map(({ path, elements }) => [path, new Set(idsOf(elements))]));
    const wrong = index.flatMap(({ path, names = [], anchor }) =>
      names.filter((each) => !anchors.get(path)?.has(`${anchor}${each}`)).map((each) => `${path}: ${each}`),
    );
    t.deepEqual(wrong, []);
  });

  test(`${name}: sizes`, (t) => {
    // One page has all codes of the generator, whatever the model: about 1.1 kB for each of 109.
    const most: Readonly<Record<string, number>> = { 'model-errors.html': 125_000 };
    t.deepEqual(
      files.filter(({ path, text }) => Buffer.byteLength(text) > (most[path] ?? limit)).map(({ path }) => path),
      [],
    );
  });
}

interface Entry {
  readonly path: string;
  readonly names?: readonly string[];
  readonly anchor?: string;
}

test('every error code has an anchor', (t) => {
  const { elements } = parsePage(models[0]?.files.find(({ path }) => path === 'errors.html')?.text ?? '');
  const ids = new Set(idsOf(elements));
  t.deepEqual(
    Object.values(errors)
      .filter(({ code }) => !ids.has(code))
      .map(({ code }) => code),
    [],
  );
});

test('every code of a model has an anchor, which a search finds', (t) => {
  const files = models[0]?.files ?? [];
  const page = files.find(({ path }) => path === 'model-errors.html')?.text ?? '';
  const search = files.find(({ path }) => path === 'search.json')?.text ?? '';
  for (const { code } of modelExplanations()) t.true(page.includes(`<tr id="${code}">`) && search.includes(`"${code}"`), code);
});

test('removed records are named as answers name them', (t) => {
  const page = models[1]?.files.find(({ path }) => path === 'events.html')?.text ?? '';
  t.true(page.includes('<code>@odata.removed</code>'));
  t.false(page.includes('<code>@removed</code>'));
});

test('every function has an example', (t) => {
  t.deepEqual(
    methods
      .filter(({ name, parameters }) => !Object.hasOwn(parameters[0] === 'collection' ? collectionExamples : functionExamples, name))
      .map(({ name }) => name),
    [],
  );
});

test('the page of changes has the lines about the model only', (t) => {
  t.deepEqual(releasesIn(changelog), [{ version: '1.1.0', lines: ['**Breaking**, `property-removed`: `Order/Old`: it is gone.'] }]);
});

// oxfmt-ignore
const readers: readonly { readonly model: string; readonly scopes: readonly string[]; readonly hidden: RegExp; readonly shown: RegExp }[] = [
  { model: 'test/portal/orders.xml', scopes: ['orders.read'], hidden: /Margin|orders\.all/, shown: /Total/ },
  { model: 'test/portal/orders.xml', scopes: ['other'], hidden: /Margin|Total|Buyer|sets\/Orders|orders\./, shown: /Article/ },
  { model: 'model/metadata.xml', scopes: ['listing.read'], hidden: /SoldPrice|ClosePrice|PrivateRemarks|ShowingInstructions|MemberEmail|listing\.write|POST|PATCH/, shown: /ListPrice/ },
];

for (const { model, scopes, hidden, shown } of readers)
  test(`${model}: a reader with ${scopes.join(' ')} sees nothing of what these scopes hide`, (t) => {
    const files = emitPortal(graphOf(model), { scopes });
    // These describe every service.
    const own = files.filter(({ path }) => !['docs.css', 'docs.js', 'errors.html', 'querying.html'].includes(path));
    t.deepEqual(
      own.flatMap(({ path, text }) => hidden.exec(withoutErrors(text))?.map((found) => `${path}: ${found}`) ?? []),
      [],
    );
    t.true(own.some(({ text }) => shown.test(text)));
  });

function withoutErrors(text: string): string {
  return text.replace(/^## Errors[\s\S]*/m, '');
}

test('an address of the service replaces the placeholder', (t) => {
  const files = emitPortal(graphOf('test/portal/orders.xml'), { root: 'https://api.example.com/v1/odata' });
  t.true(files.find(({ path }) => path === 'excel.html')?.text.includes('https://api.example.com/v1/odata'));
  t.deepEqual(
    files.filter(({ text }) => text.includes('service.example')).map(({ path }) => path),
    [],
  );
});

function idsOf(elements: readonly Element[]): readonly string[] {
  return elements.flatMap((element) => attributeOf(element, 'id') ?? []);
}

// Links to parts of the service that it may not serve are hidden until a script finds them.
function linksOf(element: Element): readonly string[] {
  const address = attributeOf(element, 'href') ?? attributeOf(element, 'src');
  const isOptional = attributeOf(element, 'data-if-there') !== undefined;
  return address === undefined || isOptional || /^(?:https?|data):/.test(address) ? [] : [address];
}
