import { parseValue } from '../../runtime/json/parse-json.js';
import { type Example, root } from '../emit/example.js';
import { examplesOf } from '../emit/examples.js';
import { drawDiagram } from './diagram.js';
import { jsonHtml } from './html.js';
import { modelDiagram } from './model-diagrams.js';
import { queryOptions } from './query-options.js';
import { exampleView } from './set-page.js';
import { type Page, type Site, hrefFrom } from './site.js';
import { timestampsOf } from './timestamps.js';

/** The pages that explain how the service is used, with the names of the model. */
export function guidePages(site: Site): readonly Page[] {
  return [startPage(site), authenticationPage(site), queryingPage(site), pagingPage(site), writingPage(site), eventsPage(site)];
}

function startPage(site: Site): Page {
  const { sets, reference } = site;
  const diagram = modelDiagram(
    sets.map(({ view }) => view),
    (name) => site.pageOf(name),
  );
  const [first] = readExamples(site);
  return {
    path: 'index.html',
    title: reference.title,
    template: 'index',
    view: {
      description: reference.description,
      root,
      examples: first === undefined ? [] : [exampleView(first, 0)],
      writable: writable(site).length > 0,
      diagram: diagram && drawDiagram(diagram),
      sets: sets.map(({ view, path }) => ({
        set: view.set,
        href: hrefFrom('index.html', path),
        description: view.description,
        count: view.fields.length,
        methods: [...new Set(view.operations.map(({ method }) => method))].join(' '),
      })),
    },
  };
}

const tokenRequest = `curl ${root.slice(0, -'/odata'.length)}/oauth2/token \\
  -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials`;

function authenticationPage(site: Site): Page {
  const answer = parseValue('{"access_token":"eyJhbGciOi...","token_type":"Bearer","expires_in":3600}');
  return {
    path: 'authentication.html',
    title: 'Authentication',
    template: 'authentication',
    view: { request: tokenRequest, answer: jsonHtml(answer), scopes: scopesOf(site) },
  };
}

// A row for each scope, with the sets that it opens for each operation.
function scopesOf({ sets }: Site): readonly object[] {
  const scopes = [...new Set(sets.flatMap(({ view }) => view.scopes.map(({ scope }) => scope)))];
  return scopes.map((scope) => ({
    scope,
    grants: ['read', 'insert', 'update', 'delete'].flatMap((operation) => {
      const granted = sets.flatMap(({ view, path }) =>
        view.scopes
          .filter((row) => row.scope === scope && row.operation === operation)
          .map(({ rows, except }) => ({
            set: view.set,
            href: hrefFrom('authentication.html', path),
            partly: rows !== undefined || except.length > 0,
          })),
      );
      return granted.length === 0 ? [] : [{ operation, sets: granted }];
    }),
  }));
}

function queryingPage(site: Site): Page {
  const examples = readExamples(site).slice(1, 4).map(exampleView);
  const set = site.sets[0]?.view.set ?? '';
  return { path: 'querying.html', title: 'Queries', template: 'querying', view: { set, examples, options: queryOptions(site) } };
}

function pagingPage({ sets }: Site): Page {
  const paged = sets.filter(({ entity }) => entity.entitySet !== undefined);
  const byPageSize = paged.filter(({ entity }) => entity.limits.topIsPageSize === true);
  const rows = paged.map(({ view }) => ({ set: view.set, limits: view.limits.filter(({ value }) => value !== 'yes') }));
  const groups = [...new Set(rows.map(({ limits }) => valuesOf(limits)))].map((values) => ({
    sets: rows.filter(({ limits }) => valuesOf(limits) === values).map(({ set }) => set),
    values: values.split(' '),
  }));
  return {
    path: 'paging.html',
    title: 'Pages',
    template: 'paging',
    view: {
      loop: loopOver(sets[0]?.view.set ?? ''),
      topIsPageSize: byPageSize.map(({ view }) => view.set),
      topIsTotal: byPageSize.length < paged.length,
      names: rows[0]?.limits.map(({ limit }) => limit) ?? [],
      groups,
    },
  };
}

function valuesOf(limits: readonly { readonly value: number | string }[]): string {
  return limits.map(({ value }) => value).join(' ');
}

function loopOver(set: string): string {
  return `let link = '${root}/${set}';
while (link !== undefined) {
  const response = await fetch(link, { headers: { Authorization: \`Bearer \${process.env.TOKEN}\` } });
  const page = await response.json();
  for (const record of page.value) console.log(record);
  link = page['@odata.nextLink'];
}`;
}

function writingPage(site: Site): Page {
  const sets = writable(site);
  const [first] = sets;
  const examples = first === undefined ? [] : examplesOf(first.entity, site.graph).filter(({ method }) => method !== 'GET');
  return {
    path: 'writing.html',
    title: 'Write data',
    template: 'writing',
    view: {
      sets: sets.map(({ view, path }) => ({ set: view.set, href: hrefFrom('writing.html', path) })),
      examples: examples.map(exampleView),
      address: examples.find(({ method }) => method === 'PATCH')?.path ?? `${first?.view.set}(KEY)`,
      batch: !site.graph.unsupported.includes('$batch'),
    },
  };
}

function writable({ sets }: Site): Site['sets'] {
  return sets.filter(({ view }) => view.operations.some(({ method }) => method !== 'GET'));
}

function readExamples({ sets, graph }: Site): readonly Example[] {
  const all = sets.map(({ entity }) => examplesOf(entity, graph).filter(({ method }) => method === 'GET'));
  return all.find((examples) => examples.length > 0) ?? [];
}

const path = 'events.html';

/** The page about following changes: by delta links, events and timestamps, as far as the model has them. */
function eventsPage(site: Site): Page {
  const ways = { delta: deltaView(site), events: eventsView(site), timestamps: timestampsView(site) };
  return {
    path,
    title: 'Follow changes',
    template: 'events',
    view: { ...ways, hasAny: Object.values(ways).some((way) => way !== undefined) },
  };
}

function deltaView({ sets }: Site): object | undefined {
  const tracked = sets.filter(({ entity }) => entity.tracking !== undefined && entity.hierarchy.setType === undefined);
  const [first] = tracked;
  if (first === undefined) return undefined;
  return { sets: tracked.map((entry) => ({ set: entry.view.set, href: hrefFrom(path, entry.path) })), first: first.view.set };
}

function eventsView({ sets }: Site): object | undefined {
  const found = sets.find(({ entity }) => entity.events !== undefined);
  const { sequence, set, key } = found?.entity.events ?? {};
  if (found === undefined) return undefined;
  const request = `GET /odata/${found.view.set}?$filter=${sequence} gt 4711&$orderby=${sequence}`;
  return { set: found.view.set, href: hrefFrom(path, found.path), request, sequence, ofSet: set, ofKey: key };
}

function timestampsView(site: Site): object | undefined {
  const rows = timestampsOf(site);
  const [first] = rows;
  if (first === undefined) return undefined;
  const order = [first.field, ...first.key].join(',');
  return {
    rows: rows.map((row) => ({ ...row, href: hrefFrom(path, row.path) })),
    request: `GET /odata/${first.set}?$filter=${first.field} ge 2026-01-31T09:00:00Z&$orderby=${order}`,
  };
}
