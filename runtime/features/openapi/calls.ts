import { accessTo } from '../../plan/caller.js';
import type { EntityType, Operation, OperationParameter, OperationValue } from '../../edm/index.js';
import type { Json } from './json-document.js';
import { addressesOf, type Address, isQuoted, jsonResponse, literalOf, pathParameter } from './operations.js';
import { recordSchema } from './record-schemas.js';
import { failuresOf } from './shared.js';
import { fieldSchema, valueSchema } from './value-schemas.js';
import { type Source, typeOf, type View } from './view.js';
import { localName } from '../../edm/lookup.js';

type PathItem = readonly [path: string, item: Json];

/** The tag of actions and functions that are bound to no set. */
export const unboundTag = 'Operations';

/** The paths of imported actions and functions that the caller may call. */
export function importPaths(view: View): readonly PathItem[] {
  const { operationImports = {} } = view.container;
  return Object.entries(view.sets ? {} : operationImports).flatMap(([name, { operation, kind }]) =>
    callable(view)
      .filter((one) => one.name === operation && one.kind === kind && !one.binding)
      .map((one) => pathOf(one, name, root, view)),
  );
}

function callable(view: View): readonly Operation[] {
  return Object.values(view.container.operations ?? {})
    .flat()
    .filter((one) => isCallable(one, view));
}

function isCallable({ kind, permissions, unsupported }: Operation, { caller, readOnly }: View): boolean {
  if (unsupported !== undefined || (readOnly && kind === 'Action')) return false;
  return permissions === undefined || permissions.some(({ scope }) => caller.scopes.has(scope));
}

/** The paths of the actions and functions that are bound to a source or to its records. */
export function boundPaths(source: Source, view: View): readonly PathItem[] {
  const type = typeOf(source);
  const { collection, record } = addressesOf(source, view);
  const types = [type.qualifiedName, ...(type.baseTypes ?? [])];
  return callable(view).flatMap((one) => {
    const { binding, kind, name } = one;
    if (!binding || !types.includes(binding.type)) return [];
    // A function reads what it is bound to.
    if (kind === 'Function' && !accessTo(type, 'read', view.caller).allowed) return [];
    if (binding.collection && source.kind === 'one') return [];
    return [pathOf(one, name, { address: binding.collection ? collection : record, tag: source.set, type }, view)];
  });
}

/** The source that an operation is bound to, if any, and its tag. */
interface Place {
  readonly address: Address;
  readonly tag: string;
  readonly type?: EntityType;
}

const root: Place = { address: { path: '', parameters: [] }, tag: unboundTag };

function pathOf(operation: Operation, name: string, place: Place, view: View): PathItem {
  const { path, parameters } = place.address;
  const isFunction = operation.kind === 'Function';
  const given = operation.parameters.map((one) => argumentOf(one, view));
  const inline = given.flatMap(({ inPath }) => inPath ?? []).join(',');
  const target = `${path}/${name}${isFunction ? `(${inline})` : ''}`;
  return [
    target,
    { ...(parameters.length > 0 && { parameters }), [isFunction ? 'get' : 'post']: callOf(operation, given, name, place, view) },
  ];
}

function callOf(operation: Operation, given: readonly Argument[], name: string, place: Place, view: View): Json {
  const { tag, type } = place;
  const { kind, permissions, parameters } = operation;
  const isFunction = kind === 'Function';
  const description = view.describe(operation.name);
  const locked = operation.binding && !operation.binding.collection && type?.etag ? [{ $ref: '#/components/parameters/ifMatch' }] : [];
  const sent = isFunction ? given.map(({ parameter }) => parameter) : locked;
  return {
    operationId: view.operationId(`call${tag === unboundTag ? '' : `${tag}_`}${name}`),
    tags: [tag],
    summary: `Call ${localName(name)}`,
    ...(description !== undefined && { description }),
    ...(sent.length > 0 && { parameters: sent }),
    ...(!isFunction && parameters.length > 0 && { requestBody: bodyOf(parameters, view) }),
    responses: { ...resultOf(operation, view), ...failuresOf(isFunction ? 'call' : 'act') },
    ...(permissions && {
      security: view.securityOf(permissions.map(({ scope }) => scope).filter((scope) => view.caller.scopes.has(scope))),
    }),
  };
}

/** A function's parameter in its path, where it must be given, and as an OpenAPI parameter. */
interface Argument {
  readonly inPath?: string;
  readonly parameter: Json;
}

// Values that are no literals are given by an alias.
function argumentOf({ name, type, collection, field, optional }: OperationParameter, view: View): Argument {
  if (collection || field === undefined || field.type === 'Edm.ComplexType' || /^Edm\.(?:Geo|Untyped)/.test(field.type))
    return {
      ...(!optional && { inPath: `${name}=@${name}` }),
      parameter: {
        name: `@${name}`,
        in: 'query',
        ...(!optional && { required: true }),
        schema: { type: 'string' },
        description: `${type} as JSON`,
      },
    };
  if (!optional) return { inPath: `${name}=${literalOf(field, name)}`, parameter: pathParameter(field, name, view) };
  const schema = isQuoted(field) ? { type: 'string' } : valueSchema(field, view);
  return { parameter: { name, in: 'query', schema, ...(isQuoted(field) && { description: 'In quotes' }) } };
}

function bodyOf(parameters: readonly OperationParameter[], view: View): Json {
  const required = parameters.filter(({ nullable, optional }) => !nullable && !optional).map(({ name }) => name);
  const properties = Object.fromEntries(parameters.map((one) => [one.name, schemaOf(one, view)]));
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  return { ...(required.length > 0 && { required: true }), content: { 'application/json': { schema } } };
}

function resultOf({ result, kind }: Operation, view: View): Json {
  const nothing = {
    '204': { description: result === undefined || kind === 'Action' ? 'Done; the answer has no body' : 'There is no result' },
  };
  if (result === undefined) return nothing;
  const isEmpty = result.nullable === true || kind === 'Action';
  const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
  const done =
    result.type === 'Edm.Stream' ? { description: 'The result', content } : jsonResponse('The result', answerSchema(result, view));
  return { '200': done, ...(kind === 'Action' && isEntity(result) && { '201': done }), ...(isEmpty && nothing) };
}

function isEntity({ field }: OperationValue): boolean {
  return field === undefined;
}

// Entities and complex values are the answer itself; other values are its member `value`.
function answerSchema(result: OperationValue, view: View): Json {
  const schema = schemaOf(result, view);
  const isWhole = !result.collection && (isEntity(result) || result.field?.type === 'Edm.ComplexType');
  return isWhole ? valuesOnly(schema) : { type: 'object', properties: { value: schema }, required: ['value'] };
}

// A missing answer is 204, not null.
function valuesOnly(schema: Json): Json {
  const { anyOf } = schema as { readonly anyOf?: readonly Json[] };
  const others = anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
}

function schemaOf({ type, collection, field, nullable }: OperationValue, view: View): Json {
  if (field) return fieldSchema(field, view);
  const entity = Object.values(view.container.entityTypes).find(({ qualifiedName }) => qualifiedName === type);
  const record = entity && accessTo(entity, 'read', view.caller).allowed ? recordSchema(entity, view) : { type: 'object' };
  if (collection) return { type: 'array', items: record };
  return nullable ? { anyOf: [record, { type: 'null' }] } : record;
}
