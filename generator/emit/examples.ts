import type { OperationName } from '../../runtime/edm/entity-type.js';
import { mediaStream } from '../../runtime/edm/index.js';
import { isObject, type Json, type JsonObject, jsonObject } from '../../runtime/json/json.js';
import type { EntityNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import {
  addressOf,
  changeable,
  displayNumber,
  displayText,
  isSingleton,
  literalOf,
  referenceTo,
  shownFields,
  type Source,
  valueOf,
} from './example-values.js';
import { type Example, root } from './example.js';
import { requiredReferences } from './reference-members.js';

/** An example of each operation that an entity source offers; contained entities have none. */
export function examplesOf(entity: EntityNode, graph: ModelGraph): readonly Example[] {
  const { place, hierarchy } = entity;
  if (place === undefined || place.kind === 'Containment' || hierarchy.setType !== undefined) return [];
  const offered = new Set(entity.routes.map(({ operation }) => operation));
  const source: Source = { entity, graph, path: place.name, shown: shownFields(entity) };
  return makers.flatMap(({ operation, make }) => (offered.has(operation) ? (make(source) ?? []) : []));
}

// oxfmt-ignore
const makers: readonly { readonly operation: OperationName; readonly make: (source: Source) => Example | undefined }[] = [
  { operation: 'readCollection', make: page },
  { operation: 'readCollection', make: filtered },
  { operation: 'readCollection', make: expanded },
  { operation: 'readEntity', make: one },
  { operation: 'createEntity', make: created },
  { operation: 'updateEntity', make: updated },
  { operation: 'updateEntity', make: moved },
  { operation: 'deleteEntity', make: deleted },
];

type Option = readonly [name: string, value: string];

function page(source: Source): Example {
  const options: Option[] = [...requiredFilter(source.entity), ...selected(source), ['$top', '1']];
  const answer = collection(source, namesOf(source), firstRecord(source), true);
  return { title: 'Read a page', method: 'GET', path: source.path, options, status: 200, answer };
}

function filtered(source: Source): Example | undefined {
  const { entity, path } = source;
  const [text, number] = [displayText(entity), displayNumber(entity)];
  const sorted = number ?? text;
  if (sorted === undefined) return undefined;
  const conditions = [text && `${text.name} eq ${literalOf(text, source)}`, number && `${number.name} gt 0`].filter(Boolean);
  const required = requiredFilter(entity).map(([, value]) => `(${value})`);
  const order: readonly Option[] = sorted.field.sortable === false ? [] : [['$orderby', `${sorted.name} desc`]];
  return {
    title: 'Filter and sort',
    method: 'GET',
    path,
    options: [['$filter', [...required, ...conditions].join(' and ')], ...order, ...selected(source)],
    status: 200,
    answer: collection(source, namesOf(source), firstRecord(source)),
  };
}

function expanded(source: Source): Example | undefined {
  const { entity, graph, path } = source;
  const found = entity.navigation.find(({ name, navigation }) => navigation.expandable !== false && !name.includes('/'));
  const target = found && graph.entities.find(({ name }) => name === found.navigation.target);
  if (found === undefined || target === undefined) return undefined;
  const related = { entity: target, graph, path: '', shown: shownFields(target).slice(0, 3) };
  const limit: readonly Option[] = found.navigation.collection ? [['$top', '5']] : [];
  const nestedOptions = [...selected(related), ...limit].map((option) => option.join('=')).join(';');
  const value = jsonObject(firstRecord(related));
  const members: Members = [...firstRecord(source), [found.name, found.navigation.collection ? { kind: 'array', items: [value] } : value]];
  const shape = [namesOf(source), `${found.name}(${isWhole(related) ? '' : namesOf(related)})`].filter(Boolean).join(',');
  return {
    title: `Read related records: ${found.name}`,
    method: 'GET',
    path,
    options: [...requiredFilter(entity), ...selected(source), ['$expand', `${found.name}${inParentheses(nestedOptions)}`], ['$top', '1']],
    status: 200,
    answer: collection(source, shape, members, true),
  };
}

function one(source: Source): Example {
  const { entity, path } = source;
  const context = encodeURI(`${root}/$metadata#${path}${inParentheses(namesOf(source))}${isSingleton(entity) ? '' : '/$entity'}`);
  const answer = jsonObject([['@odata.context', context], ...firstRecord(source)]);
  return { title: 'Read one record', method: 'GET', path: addressOf(source), options: selected(source), status: 200, answer };
}

function created(source: Source): Example | undefined {
  const { graph, path } = source;
  const entity = concrete(source);
  if (entity === undefined || entity.streams.some(({ name }) => name === mediaStream) || entity.unsetKeys.length > 0) return undefined;
  const required = entity.fields.filter(({ name }) => entity.rules.requiredOnCreate.includes(name));
  const references = requiredReferences(entity).map(({ name, navigation }) => [name, referenceTo(navigation.target, graph)] as const);
  // Records in no set cannot be referred to.
  if (references.some(([, address]) => address === '')) return undefined;
  const type: Members = entity === source.entity ? [] : [['@odata.type', `#${entity.qualifiedName}`]];
  const members = [
    ...type,
    ...required.map((field) => [field.name, valueOf(field, { ...source, entity }, createdIndex, referredBy(field, entity))] as const),
    ...references.map(([name, address]) => [`${name}@odata.bind`, address] as const),
  ];
  return {
    title: 'Create a record',
    method: 'POST',
    path,
    options: [],
    body: withNestedReferences(jsonObject(members), { ...source, entity }),
    status: 201,
  };
}

// The first sample has the key that consists of references to the first ones.
function referredBy({ name }: FieldNode, { key, rules }: EntityNode): number {
  const isReferences = key.length > 1 && key.every((part) => Object.hasOwn(rules.references, part));
  return isReferences && name === key.at(-1) ? 1 : 0;
}

// Complex values have their required references, too; those that follow from a property of the value have it.
function withNestedReferences(body: JsonObject, { entity, graph }: Source): JsonObject {
  return entity.navigation
    .filter(({ name, navigation: { required, follows } }) => required && follows === undefined && name.includes('/'))
    .reduce((before, { name, navigation: { target } }) => withBinding(before, name.split('/'), referenceTo(target, graph)), body);
}

function withBinding(body: JsonObject, [step = '', ...rest]: readonly string[], address: string): JsonObject {
  const inner = body.members.get(step) ?? null;
  if (rest.length === 0) return jsonObject([...body.members, [`${step}@odata.bind`, address]]);
  return isObject(inner) ? jsonObject([...body.members, [step, withBinding(inner, rest, address)]]) : body;
}

// A record of an abstract type has a derived one.
function concrete({ entity, graph }: Source): EntityNode | undefined {
  const { abstract, derived } = entity.hierarchy;
  if (!abstract) return entity;
  return graph.entities.find(
    ({ qualifiedName, place, hierarchy }) => derived.includes(qualifiedName) && !hierarchy.abstract && place?.name === entity.place?.name,
  );
}

function updated(source: Source): Example | undefined {
  const changed = changeable(source.entity);
  const required = requiredOnUpdate(source);
  if (changed === undefined && required.length === 0) return undefined;
  const members = [...required, ...(changed === undefined ? [] : [[changed.name, valueOf(changed, source, 1)] as const])];
  return change(source, 'Change a record', members);
}

function moved(source: Source): Example | undefined {
  const { entity } = source;
  const { property, initial = '', moves = {} } = entity.transitions ?? {};
  const [move] = moves[initial] ?? [];
  if (property === undefined || move === undefined) return undefined;
  const needed = entity.fields
    .filter(({ name }) => move.requires?.includes(name))
    .map((field) => [field.name, valueOf(field, source, 1)] as const);
  return change(source, `Change the state: ${initial} to ${move.to}`, [...requiredOnUpdate(source), [property, move.to], ...needed]);
}

function change(source: Source, title: string, members: Members): Example {
  return {
    title,
    method: 'PATCH',
    path: addressOf(source),
    options: [],
    body: jsonObject(members),
    ...precondition(source),
    status: 200,
  };
}

// The ETag of a record is not known here.
function precondition({ entity }: Source): Pick<Example, 'ifMatch'> {
  return entity.etag?.required ? { ifMatch: '*' } : {};
}

function deleted(source: Source): Example {
  return { title: 'Delete a record', method: 'DELETE', path: addressOf(source), options: [], ...precondition(source), status: 204 };
}

// Beyond the samples that a database may have.
const createdIndex = 9_000;

// The first record of a collection. More follow in sets where `$top` is the size of a page.
function collection(source: Source, shape: string, members: Members, isPage = false): Json {
  const { entity, path } = source;
  const next: Members = isPage && entity.limits.topIsPageSize ? [['@odata.nextLink', `${root}/${path}?$skiptoken=...`]] : [];
  const value: Json = { kind: 'array', items: [jsonObject(members)] };
  return jsonObject([['@odata.context', encodeURI(`${root}/$metadata#${path}${inParentheses(shape)}`)], ['value', value], ...next]);
}

type Members = readonly (readonly [name: string, value: Json])[];

function inParentheses(text: string): string {
  return text === '' ? '' : `(${text})`;
}

function namesOf({ shown }: Source): string {
  return shown.map(({ name }) => name).join(',');
}

function firstRecord(source: Source): Members {
  const { entity, shown } = source;
  const etag: Members = entity.etag === undefined ? [] : [['@odata.etag', 'W/"1"']];
  const media = entity.streams.find(({ name }) => name === mediaStream)?.stream;
  const annotations: Members =
    media === undefined
      ? []
      : [
          ['@odata.mediaEtag', 'W/"1"'],
          ['@odata.mediaContentType', media.mediaTypes?.[0] ?? 'image/jpeg'],
        ];
  return [...etag, ...annotations, ...shown.map((field) => [field.name, valueOf(field, source, 0)] as const)];
}

// The context of a nested selection of everything names nothing.
function isWhole({ entity, shown }: Source): boolean {
  return shown.length === entity.fields.length;
}

// A record may have nothing to show but collections.
function selected(source: Source): readonly Option[] {
  return source.shown.length === 0 ? [] : [['$select', namesOf(source)]];
}

function requiredFilter({ requiresFilter, key }: EntityNode): readonly Option[] {
  if (requiresFilter === undefined) return [];
  const names = requiresFilter.length === 0 ? key.slice(0, 1) : requiresFilter;
  return [['$filter', names.map((name) => `${name} ne null`).join(' and ')]];
}

function requiredOnUpdate(source: Source): Members {
  const { fields, rules } = source.entity;
  return fields
    .filter(({ name }) => rules.requiredOnUpdate.includes(name))
    .map((field) => [field.name, valueOf(field, source, 0)] as const);
}
