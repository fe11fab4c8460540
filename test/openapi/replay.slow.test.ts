// Runs every night: every recorded request against the document.

import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import test, { type ExecutionContext } from 'ava';
import { container } from '../../generated/index.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import { buildDocument } from '../../runtime/features/openapi/build-document.js';
import type { Json } from '../../runtime/features/openapi/json-document.js';
import { scopesOf } from '../../runtime/plan/caller.js';
import { seedSamples } from '../../runtime/tools/samples/seed-samples.js';
import { startService, type TestService } from '../support/service.js';
import { startKiosk } from '../operations/kiosk-service.js';
import { startToy } from '../toy/toy-service.js';

type Bodies = { readonly [operationId: string]: Json };
type Body = { readonly [member: string]: unknown };

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: { readonly [status: string]: { readonly $ref?: string; readonly content?: Json } };
}

/** The operations of a document in the order in which a client would try them. */
const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;

// oxfmt-ignore
const listingBodies: Bodies = {
  createProperty: { ListAgentKey: 'M1', ListOfficeKey: 'M1', PropertyType: 'Residential', StreetNumber: '1', StreetName: 'Elm', City: 'Toronto' },
  updateProperty: { ChangedByMemberKey: 'M1', City: 'Ottawa' },
};

// oxfmt-ignore
const depotBodies: Bodies = {
  createOrders_Items: { Number: 1 },
  updateOrders_Invoice: { Sum: 1 },
  createFolders_Folders: { Name: 'Inner' },
  createPeople_Trips: { Goal: 'Rome' },
  createMe_Trips: { Goal: 'Rome' },
  createGuest_Trips: { Goal: 'Rome' },
  updateGuest: { Name: 'Guest' },
};

test('every operation of the listing model', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  t.is(await replay(t, service, container, listingBodies), 24);
});

// oxfmt-ignore
const kioskBodies: Bodies = {
  createItems: { Id: 2, Name: 'Pen', Price: 2 },
  createShelves: { Id: 'low', Label: 'Low' },
  createShelves_Notes: { No: 1, Text: 'x' },
};

test('every action and function', async (t) => {
  const service = await startKiosk();
  t.teardown(() => service.stop());
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' };
  for (const [path, body] of [
    ['Shelves', { Id: 'top', Label: 'Top' }],
    ['Items', { Id: 1, Name: 'Pen', Price: 2, ShelfId: 'top' }],
    ["Shelves('top')/Notes", { No: 1, Text: 'x' }],
  ])
    t.is((await fetch(`${service.root}/${path as string}`, { method: 'POST', headers, body: JSON.stringify(body) })).status, 201);
  t.is(await replay(t, service, service.container, kioskBodies), 59);
  for (const version of ['3.1', '3.0', '2.0']) {
    const document = (await (await fetch(new URL(`/openapi.json?version=${version}`, service.root), { headers })).json()) as Record<
      string,
      unknown
    >;
    t.deepEqual(await new Validator().validate(document), { valid: true }, version);
  }
});

// Bodies of other operations are records that were read, with another key.
// oxfmt-ignore
const models: readonly { readonly path: string; readonly operations: number; readonly bodies?: Bodies; readonly methods?: readonly (typeof methods)[number][] }[] = [
  { path: 'test/toy/depot.xml', operations: 71, bodies: depotBodies },
  { path: 'test/toy/staff.xml', operations: 13, bodies: { createPeople: { Id: 'New', Name: 'New' } } },
  { path: 'test/toy/palette.xml', operations: 6, methods: ['get'] },
  { path: 'test/toy/choices.xml', operations: 2, methods: ['get'] },
  { path: 'test/toy/limits.xml', operations: 2, methods: ['get'] },
  { path: 'test/toy/disc.xml', operations: 12 },
  { path: 'test/toy/villas.xml', operations: 16 },
  { path: 'test/toy/keys.xml', operations: 28, methods: ['get'] },
];

for (const { path, operations, bodies = {}, methods: wanted } of models)
  test(`every operation of ${path}`, async (t) => {
    const service = await startToy(path);
    t.teardown(() => service.stop());
    await seedSamples(service.pool, service.container, 3);
    t.is(await replay(t, service, service.container, bodies, wanted), operations);
  });

// Sends every operation, and gives their number.
async function replay(
  t: ExecutionContext,
  service: TestService,
  model: EntityContainer,
  bodies: Bodies,
  wanted: readonly (typeof methods)[number][] = methods,
): Promise<number> {
  const headers = { Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json' };
  const ask = (path: string, method = 'GET', body?: Body, more = {}): Promise<Response> =>
    fetch(`${service.root}${path}`, { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) });
  const metadata = (await (await ask('/$metadata?$format=json')).json()) as Json;
  const document = buildDocument(model, metadata, {
    version: '3.1',
    caller: { subject: '', scopes: scopesOf(model) },
    root: service.root,
    tokenUrl: 'https://a.example/oauth2/token',
  });
  const validate = validatorOf(document);
  const { paths } = document as { readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } } };
  const created = new Map<string, Body>();
  let sent = 0;
  for (const method of wanted)
    for (const template of method === 'delete' ? Object.keys(paths).toReversed() : Object.keys(paths)) {
      const operation = paths[template]?.[method];
      if (operation === undefined) continue;
      const path = await filled(template, created, ask, operation);
      const current = isRecords(operation) ? await currentAt(path, ask) : {};
      const body =
        method === 'get' || method === 'delete'
          ? undefined
          : (bodies[operation.operationId] ?? bodyOf(operation) ?? bodyLike(current, template, paths));
      const etag = current['@odata.etag'];
      const response = await ask(path, method.toUpperCase(), body, {
        ...(isLocked(operation) && { 'If-Match': '*' }),
        ...(typeof etag === 'string' && method !== 'get' && { 'If-Match': etag }),
        ...(operation.requestBody && { 'Content-Type': (Object.keys(operation.requestBody.content)[0] ?? '').replaceAll('*', 'x') }),
      });
      const text = await response.text();
      const where = `${method} ${path} ${JSON.stringify(body)}: ${response.status} ${text}`;
      t.is(response.ok || (isCall(operation) && refusals.has(response.status)), !path.includes(missing), where);
      const documented = operation.responses[response.status];
      t.truthy(documented, where);
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      const answer = isJson && text !== '' ? (JSON.parse(text) as Body) : undefined;
      if (answer)
        t.deepEqual(validate(documented?.$ref ?? at('paths', template, method, 'responses', String(response.status)), answer), [], where);
      if (method === 'post' && answer && isRecords(operation)) created.set(template, answer);
      sent += 1;
    }
  return sent;
}

// oxfmt-ignore
/** The values of actions' parameters, and of a batch. */
const actionArguments: Body = {
  requests: [{ id: '1', method: 'get', url: '$metadata' }], percent: 1, by: 'x', id: 7, name: 'x', tags: [], amount: 1, label: { Text: 'x' }, stops: [],
};

function bodyOf(operation: Operation): Body | undefined {
  if (isRecords(operation)) return undefined;
  const { schema } = (operation.requestBody?.content['application/json'] ?? {}) as {
    readonly schema?: { readonly required?: readonly string[] };
  };
  return Object.fromEntries((schema?.required ?? []).map((name) => [name, actionArguments[name]]));
}

/** In place of the key of a record, where there is none. */
const missing = 'missing';

// A path with the keys of the record that was created last, or of the first one.
async function filled(
  template: string,
  created: ReadonlyMap<string, Body>,
  ask: (path: string) => Promise<Response>,
  operation: Operation,
): Promise<string> {
  let [path, prefix] = ['', ''];
  const segments = template.split('/').slice(1);
  const call = isCall(operation) ? segments.pop() : undefined;
  for (const segment of segments) {
    const [, name = '', key] = /^([^(]*)(\(.*\))?$/.exec(segment) ?? [];
    path += `/${name}`;
    prefix += `/${name}`;
    if (key === undefined) continue;
    const record = created.get(prefix) ?? ((await (await ask(path)).json()) as { readonly value: readonly Body[] }).value[0];
    path += key.replace(/\{([^}]*)\}/g, (_, parameter: string) =>
      encodeURIComponent(String(record?.[propertyOf(parameter, name)] ?? missing).replaceAll("'", "''")),
    );
    prefix += key;
  }
  if (call === undefined) return path;
  const { parameters = [] } = operation;
  const query = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name = '' }) => `${name}=${argument(name)}`);
  return `${path}/${call.replace(/\{([^}]*)\}/g, (_, name: string) => argument(name))}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

// The ETag of a stream is another one than that of its record.
const isLocked = (operation: Operation): boolean =>
  operation.operationId.startsWith('remove') ||
  (isCall(operation) && operation.parameters?.some(({ $ref }) => $ref?.endsWith('/ifMatch')) === true);

const isCall = ({ operationId }: Operation): boolean => operationId.startsWith('call');

/** The statuses of handlers that refuse a call, and of one that is not written. */
const refusals: ReadonlySet<number> = new Set([409, 501]);

const isRecords = ({ operationId }: Operation): boolean => !/^(?:call|batch|download|upload|remove)/.test(operationId);

async function currentAt(path: string, ask: (path: string) => Promise<Response>): Promise<Body> {
  const present = await (await ask(path)).text();
  return (present === '' ? {} : JSON.parse(present)) as Body;
}

// oxfmt-ignore
/** The values of functions' parameters, in the form of their places. */
const functionArguments: { readonly [name: string]: string } = {
  when: '2020-01-01T00:00:00Z', day: '2020-01-01', id: '00000000-0000-4000-8000-000000000000', span: 'PT1S', data: "YQ", '@place': '{"type":"Point","coordinates":[1,2]}',
  ratio: '1.5', ok: 'true', size: 'Small', '@item': '{"@odata.id":"Items(1)"}', '@price': '{"Amount":1}', '@sizes': '["Small"]', '@in': '[1]', '@label': '{"Text":"x"}', '@line': 'null',
};

function argument(name: string): string {
  return encodeURIComponent(functionArguments[name] ?? '1');
}

function propertyOf(parameter: string, set: string): string {
  return parameter.startsWith(`${set}_`) ? parameter.slice(set.length + 1) : parameter;
}

// The record at a path; for a collection its first record with another key.
function bodyLike(read: Body, template: string, paths: Json): Body {
  const first = (read['value'] as readonly Body[] | undefined)?.[0];
  const keyed = Object.keys(paths).find((path) => path.startsWith(`${template}(`)) ?? '';
  const keys = [...keyed.slice(template.length).matchAll(/\{([^}]*)\}/g)].map(([, parameter = '']) =>
    propertyOf(parameter, template.replace(/^.*\//, '')),
  );
  const body = Object.entries(first ?? read).filter(([name]) => !name.includes('@') || name === '@odata.type');
  return Object.fromEntries(body.map(([name, value]) => [name, first && keys.includes(name) ? another(value) : value]));
}

function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 100;
  return String(value).replace(/^./, (first) => (first === '9' ? '8' : '9'));
}

// The JSON pointer to a part of a document.
function at(...path: readonly string[]): string {
  return `#/${path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

function validatorOf(document: Json): (response: string, answer: Body) => readonly unknown[] {
  const ajv = new Ajv2020({ strict: false, logger: false });
  formats.default(ajv);
  ajv.addSchema(document, 'document');
  return (response, answer) => {
    const validate = ajv.compile({ $ref: `document${response}${at('content', 'application/json', 'schema').slice(1)}` });
    return validate(answer) ? [] : (validate.errors ?? []);
  };
}
