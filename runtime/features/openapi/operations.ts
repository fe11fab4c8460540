import type { EntityType, Field, OperationName, Route, Stream } from '../../edm/index.js';
import { isDirect, keyFieldOf, mediaStream, own, streamOf, targetOf } from '../../edm/index.js';
import { accessTo } from '../../plan/caller.js';
import { planHooks } from '../../plan/hooks.js';
import { linkingProperties } from '../../plan/path/navigation-join.js';
import { bodySchema, recordSchema } from './record-schemas.js';
import { failuresOf, parameters, type Verb } from './shared.js';
import { valueSchema } from './value-schemas.js';
import type { Json } from './json-document.js';
import { expandedType, operationsOf, scopesFor, type Source, typeOf, type View } from './view.js';

interface Operation {
  readonly verb: Verb;
  readonly summary: (name: string, kind: Source['kind']) => string;
  readonly success: '200' | '201' | '204';
  readonly body?: 'Create' | 'Update';
}

// oxfmt-ignore
const operations: { readonly [Name in OperationName]: Operation } = {
  readCollection: { verb: 'list', success: '200', summary: (name) => `Read records of ${name}` },
  readEntity: { verb: 'get', success: '200', summary: (name, kind) => `Read ${aRecord(name, kind)}` },
  createEntity: { verb: 'create', success: '201', body: 'Create', summary: (name) => `Create a record of ${name}` },
  updateEntity: { verb: 'update', success: '200', body: 'Update', summary: (name, kind) => `Change ${aRecord(name, kind)}` },
  replaceEntity: { verb: 'replace', success: '200', body: 'Create', summary: (name, kind) => `Replace ${aRecord(name, kind)}` },
  deleteEntity: { verb: 'delete', success: '204', summary: (name, kind) => `Delete ${aRecord(name, kind)}` },
};

function aRecord(name: string, kind: Source['kind']): string {
  return kind === 'many' ? `a record of ${name}` : name;
}

/** The path items of a source: that of its collection, and that of a record by its key. */
export function pathsOf(source: Source, view: View): readonly (readonly [path: string, item: Json])[] {
  const routes = operationsOf(source, view);
  const ofRecord = routes.filter((route) => !isOfCollection(route));
  const { collection, record } = addressesOf(source, view);
  return [
    ...pathItem(collection, source.kind === 'many' ? routes.filter(isOfCollection) : [], source, view),
    ...pathItem(record, ofRecord, source, view),
    ...createPaths(source, view),
  ];
}

// Entities that NavigationRestrictions let in, and whose set does not (Capabilities, InsertRestrictions).
function createPaths(source: Source, view: View): ReturnType<typeof pathsOf> {
  const type = typeOf(source);
  if (source.names.length > 1 || view.readOnly) return [];
  return Object.entries(type.navigation).flatMap(([name, navigation]) => {
    const target = targetOf(view.container, navigation);
    if (!navigation.insertable || !navigation.collection || target.routes.some(({ operation }) => operation === createEntity.operation))
      return [];
    if (!isDirect(name) || !accessTo(target, 'insert', view.caller).allowed) return [];
    const along: Source = { ...source, names: [source.set, name], types: [type, target], kind: 'many' };
    return pathItem(addressOf(along, view), [createEntity], along, view);
  });
}

const createEntity = { method: 'POST', operation: 'createEntity' } as const satisfies Route;

/** The addresses of a source and of one of its records. */
export function addressesOf(source: Source, view: View): { readonly collection: Address; readonly record: Address } {
  const collection = addressOf(source, view);
  return { collection, record: source.kind === 'many' ? withKey(collection, source, view) : collection };
}

function isOfCollection({ operation }: Route): boolean {
  return operation === 'readCollection' || operation === 'createEntity';
}

/** A path with its parameters. */
export interface Address {
  readonly path: string;
  readonly parameters: readonly Json[];
}

function pathItem(address: Address, routes: readonly Route[], source: Source, view: View): readonly (readonly [string, Json])[] {
  const { path, parameters: keys } = address;
  if (routes.length === 0) return [];
  const item = Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), operationObject(route, source, view)]));
  return [[path, { ...(keys.length > 0 && { parameters: keys }), ...item }]];
}

function addressOf({ names: [set = '', contained], types }: Source, view: View): Address {
  const home: Address = { path: `/${set}`, parameters: [] };
  if (contained === undefined) return home;
  const isOne = own(view.container.singletons ?? {}, set) !== undefined;
  const parent = isOne ? home : withKey(home, { names: [set], types: types.slice(0, 1) }, view);
  return { ...parent, path: `${parent.path}/${contained}` };
}

// A key of a contained record may have the name of one of its parent.
function withKey({ path, parameters: before }: Address, { names, types }: Pick<Source, 'names' | 'types'>, view: View): Address {
  const type = types[types.length - 1] as EntityType; // A source has one name at least.
  const parts = type.key.map((name) => {
    const field = keyFieldOf(type, name) ?? { type: 'Edm.String' as const };
    const parameter = before.some((one) => one['name'] === name) ? `${names[names.length - 1]}_${name}` : name;
    return { name, text: literalOf(field, parameter), parameter: pathParameter(field, parameter, view) };
  });
  const [only] = parts;
  const key = parts.length === 1 && only ? only.text : parts.map(({ name, text }) => `${name}=${text}`).join(',');
  return { path: `${path}(${key})`, parameters: [...before, ...parts.map(({ parameter }) => parameter)] };
}

/** A literal of a path, whose value is a parameter. */
export function literalOf(field: Pick<Field, 'type' | 'enumeration'>, parameter: string): string {
  const prefix = { 'Edm.Duration': 'duration', 'Edm.Binary': 'binary' }[field.type as string];
  if (prefix !== undefined) return `${prefix}'{${parameter}}'`;
  return isQuoted(field) ? `'{${parameter}}'` : `{${parameter}}`;
}

/** Whether a literal is a text in quotes. */
export function isQuoted({ type, enumeration }: Pick<Field, 'type' | 'enumeration'>): boolean {
  return type === 'Edm.String' || enumeration !== undefined;
}

/** The parameter of a literal in a path. */
export function pathParameter(field: Field, name: string, view: View): Json {
  const description = isQuoted(field) ? { description: 'With each quote doubled' } : {};
  return { name, in: 'path', required: true, schema: valueSchema(field, view), ...description };
}

function operationObject({ operation, upsert }: Route, source: Source, view: View): Json {
  const { verb, summary, success, body } = operations[operation];
  const type = typeOf(source);
  const name = source.names.join('/');
  const description = verb === 'list' ? limitsOf(type) : undefined;
  return {
    operationId: view.operationId(`${verb}${source.names.join('_')}`),
    tags: [source.set],
    summary: summary(name, source.kind),
    ...(description && { description }),
    parameters: parametersFor(verb, type, view),
    ...(body && { requestBody: requestBody(source, body, verb, view) }),
    responses: {
      ...successes(success, type, verb, view),
      ...(upsert && { '201': entityResponse('The record was created', type, view, true) }),
      ...failuresOf(verb, (status) => status === '428' && !type.etag?.required),
    },
    ...security(operation, type, view),
  };
}

function limitsOf({ limits, requiresFilter }: EntityType): string {
  const { defaultPageSize, maxPageSize, maxTop } = limits;
  const filter =
    requiresFilter === undefined ? '' : ` $filter is required${requiresFilter.length > 0 ? `, with ${requiresFilter.join(', ')}` : ''}.`;
  return `Pages have ${defaultPageSize} records, or up to ${maxPageSize} by Prefer; $top is at most ${maxTop}. Follow @odata.nextLink for the rest.${filter}`;
}

function parametersFor(verb: Verb, type: EntityType, view: View): readonly Json[] {
  const isOffered: { readonly [name: string]: boolean } = {
    search: planHooks.get('search').isSearchable(type, view),
    expand: Object.entries(type.navigation).some(
      ([name, { expandable }]) => expandable !== false && expandedType(type, name, view) !== undefined,
    ),
    ifMatch: type.etag !== undefined,
    ifNoneMatch: type.etag !== undefined,
  };
  return Object.entries(parameters).flatMap(([name, { of }]) =>
    of.includes(verb) && isOffered[name] !== false ? [{ $ref: `#/components/parameters/${name}` }] : [],
  );
}

// A media entity is created by its bytes.
function requestBody(source: Source, body: 'Create' | 'Update', verb: Verb, view: View): Json {
  const type = typeOf(source);
  const media = verb === 'create' ? streamOf(type, mediaStream) : undefined;
  return {
    required: true,
    content: media ? bytesOf(media) : { 'application/json': { schema: bodySchema(type, body, view, givenBy(source)) } },
  };
}

// Properties that the parent determines need not be in the body.
function givenBy({ names: [, name = ''], types: [parent, target] }: Source): readonly string[] {
  const navigation = parent && own(parent.navigation, name);
  return navigation && target ? linkingProperties(parent, navigation, target) : [];
}

/** The bytes of a media stream, by its media types. */
export function bytesOf({ mediaTypes = ['*/*'] }: Stream): Json {
  return Object.fromEntries(mediaTypes.map((range) => [range, { schema: { type: 'string', format: 'binary' } }]));
}

function successes(status: Operation['success'], type: EntityType, verb: Verb, view: View): Json {
  const nothing = { '204': { description: verb === 'delete' ? 'Deleted' : 'Done; the answer has no body' } };
  if (status === '204') return nothing;
  if (verb === 'list')
    return { '200': { description: 'A page of records; all of them as CSV or NDJSON', content: pageContent(type, view) } };
  const done = {
    [status]: verb === 'create' ? entityResponse('The record was created', type, view, true) : entityResponse('The record', type, view),
  };
  if (verb !== 'get') return { ...done, ...nothing };
  const mayBeNull = type.nullable ?? type.contained === 'one';
  return {
    ...done,
    ...(mayBeNull && { '204': { description: 'There is no record' } }),
    ...(type.etag && { '304': { description: 'The client has the current record' } }),
  };
}

function pageContent(type: EntityType, view: View): Json {
  const text = { schema: { type: 'string' } };
  return { 'application/json': { schema: pageOf(type, view) }, 'text/csv': text, 'application/x-ndjson': text };
}

function pageOf(type: EntityType, view: View): Json {
  const value = { type: 'array', items: recordSchema(type, view) };
  return { allOf: [{ $ref: '#/components/schemas/Page' }, { type: 'object', properties: { value }, required: ['value'] }] };
}

function entityResponse(description: string, type: EntityType, view: View, isNew = false): Json {
  const headers = [...(type.etag ? ['ETag'] : []), ...(isNew ? ['Location'] : [])].map(
    (name) => [name, { schema: { type: 'string' } }] as const,
  );
  return { ...jsonResponse(description, recordSchema(type, view)), ...(headers.length > 0 && { headers: Object.fromEntries(headers) }) };
}

/** A response in JSON. */
export function jsonResponse(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } };
}

// The document's own security requires a token, whatever its scopes.
function security(operation: OperationName, type: EntityType, { caller, securityOf }: View): Json {
  const scopes = scopesFor(operation, type, caller);
  return scopes === undefined ? {} : { security: securityOf(scopes) };
}
