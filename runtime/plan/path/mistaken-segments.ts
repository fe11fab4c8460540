import { type EntityContainer, type EntityType, keyFieldOf, own, qualify } from '../../edm/index.js';
import { localName } from '../../edm/lookup.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { nearestOf, suggestion, excerpt } from '../../errors/suggest.js';
import { castHint } from './type-cast.js';
import { typesWithin } from './derivation.js';

/** The error for an unknown first segment, with a suggestion. */
export function unknownSet(name: string, container: EntityContainer): Error {
  const resource = ['$metadata', '$batch', '$all', '$entity'].find((known) => known.slice(1) === name.toLowerCase());
  const known = Object.keys({ ...container.entitySets, ...container.singletons, ...container.operationImports });
  const hint =
    methodHint(name) ||
    separatorHint(name) ||
    bracketHint(name, known) ||
    extensionHint(name, known) ||
    (resource && ` Did you mean /${resource}?`) ||
    suggestion(name, known) ||
    containedHint(name, container) ||
    importHint(name, container) ||
    rootHint(name);
  const shown = shownName(name);
  return errors.notFound(`entity set ${shown}`, hint).at(shown);
}

// The explorer's text of a query may begin with GET.
function methodHint(name: string): string {
  const [method] = /^(?:POST|PATCH|PUT|DELETE)(?= *$)/i.exec(name) ?? [];
  return method === undefined
    ? ''
    : ` A path has no method, and the text of a query only reads: send the request with ${method.toUpperCase()}.`;
}

// Segments and options are separated before decoding (URL conventions 2).
function separatorHint(name: string): string {
  const [, segment, option] = /^([^?&$]+)[?&]?(\$\w+=.*)$/.exec(name) ?? [];
  if (option !== undefined)
    return ` An option follows a question mark, which is not percent-encoded: write ${shownName(`${segment}?${option}`)}.`;
  return name.includes('/') ? ` An encoded slash does not separate segments: write ${shownName(name)}.` : '';
}

function bracketHint(name: string, known: readonly string[]): string {
  const [, set = '', key = ''] = /^(\w+)\[(.*)\]$/.exec(name) ?? [];
  return known.includes(set) ? ` A key is in parentheses: write ${shownName(`${set}(${key})`)}.` : '';
}

function extensionHint(name: string, known: readonly string[]): string {
  const [, set = '', format = ''] = /^(\w+)\.(csv|json|ndjson)$/i.exec(name) ?? [];
  return known.includes(set) ? ` The format is an option: write /${set}?$format=${format.toLowerCase()}.` : '';
}

// A text that cannot be a name may be as long as a request.
function shownName(name: string): string {
  return name.length > 128 ? excerpt(name) : name;
}

// Contained entities are in no set.
function containedHint(name: string, { entityTypes }: EntityContainer): string {
  const owner = Object.values(entityTypes).find(({ entitySet, navigation }) => entitySet !== undefined && own(navigation, name)?.contains);
  return owner === undefined ? '' : ` Its records are contained in those of ${owner.entitySet}: write /${owner.entitySet}(...)/${name}.`;
}

// At the service root an operation has the name of its import.
function importHint(name: string, { operationImports = {} }: EntityContainer): string {
  const found = Object.entries(operationImports).find(([, { operation }]) => operation === name || operation.endsWith(`.${name}`));
  return found === undefined ? '' : ` It is called by the name of its import: write /${found[0]}.`;
}

// Clients join the address of the service and a path that has its end, too.
function rootHint(name: string): string {
  return name.toLowerCase() === 'odata' ? ' The address of the service ends with /odata: write it once.' : '';
}

/** Rejects a name in place of a key: where keys are not texts, a type or an operation was meant. */
export function requireNoName(name: string, type: EntityType, container: EntityContainer): void {
  const [first = ''] = type.key;
  if (!/^[a-z_][\w.]*$/i.test(name)) return;
  if (keyFieldOf(type, first)?.type === 'Edm.String') return requireNoQualifiedName(name, type, container);
  const types = typesWithin(type, container).map(({ qualifiedName }) => qualifiedName);
  const local = types.find((one) => one.endsWith(`.${name}`));
  if (own(type.fields, name) || own(type.navigation, name))
    throw errors
      .notFound(`${name} of a collection`, ` The key of a record precedes it: write /${type.entitySet ?? type.name}(...)/${name}.`)
      .at(name);
  const hint =
    local === undefined ? suggestion(name, [...types, ...Object.keys(container.operations ?? {}), '$count']) : ` Did you mean ${local}?`;
  if (hint !== '') throw errors.notFound(`${name} in ${type.entitySet ?? type.name}`, hint).at(name);
}

// Any name is a valid text key, but one in the model's namespace, or a similar one, was meant as a type or an operation.
function requireNoQualifiedName(name: string, type: EntityType, container: EntityContainer): void {
  const namespace = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const known = [
    ...Object.values(container.entityTypes).map(({ qualifiedName }) => qualifiedName),
    ...Object.keys(container.operations ?? {}),
  ];
  const namespaces = new Set([
    container.namespace,
    ...Object.keys(container.aliases ?? {}),
    ...known.map((one) => one.slice(0, one.lastIndexOf('.'))),
  ]);
  if (namespace === '' || nearestOf(namespace, namespaces) === undefined) return;
  const hint = suggestion(qualify(container, name), known);
  throw errors
    .notFound(`type or operation ${name}`, `${hint} A key in this position needs parentheses: ${type.entitySet ?? type.name}('${name}').`)
    .at(name);
}

/** The error for an unknown segment after an entity. */
export function unknownSegment(name: string, type: EntityType, container: EntityContainer): Error {
  const known = [...Object.keys(type.fields), ...Object.keys(type.navigation), ...Object.keys(type.streams ?? {})];
  if (name === '$count')
    return errors.notFound(`$count in ${type.name}`, ' $count needs a collection, but this is a single record.').at(name);
  const shown = shownName(name);
  const hint =
    separatorHint(name) ||
    (name.startsWith('$')
      ? suffixHint(name)
      : castHint(name, type, container) || operationHint(name, container) || suggestion(name, known));
  return errors.notFound(`${shown} in ${type.name}`, hint).at(shown);
}

// Without Core.DefaultNamespace a bound operation has its namespace in front.
function operationHint(name: string, { operations = {} }: EntityContainer): string {
  const bound = Object.entries(operations).find(
    ([qualified, overloads]) => localName(qualified) === name && overloads.some(({ binding }) => binding),
  );
  return bound === undefined ? '' : ` An operation is called with its namespace: write ${bound[0]}.`;
}

/** The position of each `$` segment; a new one is a row here. */
const places: { readonly [name: string]: string } = {
  $all: 'at the root of the service, as in /$all',
  $batch: 'at the root of the service, as in /$batch',
  $count: 'after a collection, whose items it counts',
  $crossjoin: 'at the root of the service, with sets in parentheses',
  $each: 'after a collection, whose members it changes',
  $entity: 'at the root of the service, as in /$entity?$id=...',
  $filter: 'after a collection, with a condition in parentheses',
  $links: 'in OData 3 only; write /$ref after the navigation property',
  $metadata: 'at the root of the service, as in /$metadata',
  $query: 'at the end of the path of a collection or record, in a POST',
  $ref: 'after a record or a collection of records',
  $value: 'after a primitive value of one record, or a media entity',
};

/** The error for a misplaced or unknown `$` segment. */
export function unplannedSuffix(name: string): ODataError {
  const shown = excerpt(name);
  return errors.notFound(own(places, name) === undefined ? `resource ${shown}` : `${name} at this position`, suffixHint(name)).at(shown);
}

/** The position of a known `$` segment, or the nearest known one. */
export function suffixHint(name: string): string {
  const place = own(places, name);
  if (place !== undefined) return ` It stands ${place}.`;
  return /^\$\w+=/.test(name) ? ` An option follows a question mark: write ?${excerpt(name)}.` : suggestion(name, Object.keys(places));
}

/** The error for a path to a single entity that does not exist. */
export function missingRecord({ name, singleton }: EntityType, path = ''): ODataError {
  // After a set, any name is a key where keys are texts.
  const hint = /\/count$/i.test(path) ? ' The number of records is at /$count.' : '';
  if (singleton === undefined) return errors.notFound(`${name} with that key`, hint);
  return errors.notFound(`${singleton} yet`, ` It has properties without defaults: create it with PUT or PATCH /${singleton}.`);
}
