import { declaredText } from '../../runtime/edm/lookup.js';
import { isShownName, mediaStream, type OperationName, type Permissions } from '../../runtime/edm/index.js';
import type { ComplexNode, EntityNode, FieldNode, ModelGraph, NavigationNode, StreamNode } from '../graph/model-graph.js';
import { isMany } from '../graph/sources/places.js';
import { insertedAlong, isCreatedByJson } from './entity-kinds.js';
import { requiredReferences } from './reference-members.js';
import { factsOf, fieldFacts, sentence } from './describe.js';
import { operationsView } from './reference-operations.js';

/** The facts of a model for its documentation, as plain text; the templates format them. */
export interface ReferenceView {
  readonly title: string;
  readonly description: string | undefined;
  readonly entities: readonly EntityView[];
  readonly operations: ReturnType<typeof operationsView>;
  readonly complexTypes: readonly ReturnType<typeof complexView>[];
}

/** The facts of an entity source. */
export type EntityView = ReturnType<typeof entityView>;

/** Collects the facts of a model for its documentation. */
export function emitReference(graph: ModelGraph): ReferenceView {
  const entities = [...graph.entities].filter(({ place }) => place !== undefined);
  return {
    title: graph.namespace,
    description: optionalSentence(graph.description),
    entities: entities.map((entity) => entityView(entity, graph.entities)),
    operations: operationsView(graph),
    complexTypes: graph.complexTypes.map(complexView),
  };
}

function entityView(entity: EntityNode, entities: readonly EntityNode[]) {
  const { name, place, transitions, etag } = entity;
  const set = setOf(entity) ?? name;
  return {
    /** The name in the container, by which navigation properties name their target. */
    target: name,
    name: placedName(name).type,
    set,
    description: optionalSentence(entity.description),
    key: entity.key,
    operations: [
      ...entity.routes.map(({ method, operation }) => ({ method, path: pathOf(place, operation), operation })),
      ...createsAlong(entity, entities),
    ],
    fields: entity.fields.filter(({ name: field }) => isShownName(field)).map((field) => fieldView(field, factsOf(field, entity))),
    streams: entity.streams.map(streamView),
    navigation: entity.navigation.map(navigationView),
    rules: rulesView(entity),
    state: transitions?.property,
    initial: transitions?.initial,
    moves: movesView(transitions),
    limits: limitsView(entity.limits),
    filter: filterFact(entity.requiresFilter),
    scopes: scopesView(entity.permissions),
    open: entity.open && 'Open: a record may have other properties than these.',
    etag:
      etag &&
      (etag.required
        ? 'Every PATCH and DELETE needs If-Match: the ETag that was read, or * for any state.'
        : 'Records carry an ETag; If-Match is optional.'),
  };
}

// Creates that are possible along a navigation property only.
function createsAlong({ routes, place }: EntityNode, entities: readonly EntityNode[]) {
  if (place === undefined || routes.some(({ operation }) => operation === 'createEntity')) return [];
  const along = insertedAlong(entities).get(place.name) ?? [];
  return along.map(({ parent, name }) => ({
    method: 'POST' as const,
    path: `${pathOf(parent.place, 'readEntity')}/${name}`,
    operation: 'createEntity' as const,
  }));
}

function filterFact(names: EntityNode['requiresFilter']): string | undefined {
  if (names === undefined) return undefined;
  return `Reads require \`$filter\`${names.length === 0 ? '' : ` on ${names.map((name) => `\`${name}\``).join(' and ')}`}.`;
}

function optionalSentence(text: string | undefined): string | undefined {
  return text && sentence(text);
}

function pathOf(place: EntityNode['place'], operation: OperationName): string {
  const source = `/${place?.name.replace('.', '/') ?? ''}`;
  const isOfCollection = operation === 'readCollection' || operation === 'createEntity';
  return isOfCollection || place === undefined || !isMany(place) ? source : `${source}({key})`;
}

// Entities of a derived type are in the set of its base type, after a cast.
function setOf({ place, hierarchy: { setType }, qualifiedName }: EntityNode): string | undefined {
  const set = place?.name.replace('.', '/');
  return setType === undefined ? set : `${set}/${qualifiedName}`;
}

function navigationView({ name, description = '', navigation: { target, collection, expandable } }: NavigationNode) {
  const { type, place } = placedName(target);
  return {
    name,
    target,
    type: collection ? `Collection(${type})` : type,
    place,
    collection: collection === true,
    description,
    expandable: expandable === false ? 'no' : 'yes',
  };
}

// The name of a type in several entity sources includes the source.
function placedName(name: string): { readonly type: string; readonly place: string | undefined } {
  const [type = '', place] = name.split('@');
  return { type, place: place?.replace('.', '/') };
}

function streamView({ name, description, stream: { maxLength, mediaTypes } }: StreamNode) {
  return {
    name,
    mediaTypes,
    size: maxLength ?? '',
    description: sentence(description ?? (name === mediaStream ? 'The media stream of the record' : 'A media stream')),
  };
}

function complexView({ name, description, base, derivedTypes, abstract, open, computed, immutable, fields }: ComplexNode) {
  const facts = [
    base !== undefined && `Derives from \`${base}\`.`,
    derivedTypes.length > 0 &&
      `A value may have a derived type, given in \`@odata.type\`: ${derivedTypes.map((type) => `\`${type}\``).join(', ')}.`,
    abstract && 'Abstract: every value has a derived type.',
    open && 'Open: a value may have other properties than these.',
  ];
  return {
    name,
    description: optionalSentence(description),
    facts: facts.filter((fact) => fact !== false).join(' '),
    fields: fields.map((node) =>
      fieldView(node, [
        ...(computed.includes(node.name) ? ['Set by the service; a value in a body is ignored.'] : []),
        ...(immutable.includes(node.name) ? ['Cannot be changed after creation.'] : []),
        ...fieldFacts(node),
      ]),
    ),
  };
}

function fieldView({ name, description, field }: FieldNode, facts: readonly string[]) {
  return {
    name,
    type: declaredText(field),
    nullable: field.nullable === true,
    description: optionalSentence(description),
    facts,
  };
}

function movesView(transitions: EntityNode['transitions']) {
  return Object.entries(transitions?.moves ?? {}).flatMap(([from, list]) =>
    list.map(({ to, requires = [], sets = {} }) => ({
      from,
      to,
      requires,
      sets: Object.entries(sets).map(([property, value]) => ({ property, value })),
    })),
  );
}

function rulesView(entity: EntityNode) {
  const { rules } = entity;
  const references = isCreatedByJson(entity) ? requiredReferences(entity).map(({ name }) => name) : [];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Required on create', [...rules.requiredOnCreate, ...references]],
    ['Required in every update', rules.requiredOnUpdate],
    ['Set by the service', rules.computed],
    ['On create only with the initial value', rules.initialOnly],
    ['On create only', rules.immutable],
    ['Must be the key of an existing record', Object.entries(rules.references).map(([property, type]) => `${property} (${type})`)],
  ];
  return rows.filter(([, names]) => names.length > 0).map(([rule, names]) => ({ rule, names }));
}

function limitsView(limits: EntityNode['limits']) {
  return Object.entries(limits).map(([limit, value]) => ({ limit: limitNames[limit] ?? limit, value: value === true ? 'yes' : value }));
}

const limitNames: { readonly [limit: string]: string } = {
  maxTop: 'Largest `$top`',
  maxTopWithExpand: 'Largest `$top` with `$expand`',
  maxSkip: 'Largest `$skip`',
  defaultPageSize: 'Page size',
  maxPageSize: 'Largest preferred page size',
  maxPageSizeWithExpand: 'Largest preferred page size with `$expand`',
  maxExpandDepth: 'Deepest `$expand`',
  topIsPageSize: '`$top` is the size of a page',
};

function scopesView(permissions: Permissions) {
  const operations = [
    ['read', permissions.read],
    ['insert', permissions.insert],
    ['update', permissions.update],
    ['delete', permissions.delete],
  ] as const;
  return operations.flatMap(([operation, list]) => (list ?? []).map(({ scope, except, rows }) => ({ operation, scope, rows, except })));
}
