import type { TypeAliasDeclarationStructure } from './ts-morph.js';
import { mediaStream } from '../../runtime/edm/index.js';
import type { OperationName } from '../../runtime/edm/entity-type.js';
import type { EntityNode, ModelGraph, OperationNode, ParameterNode, ValueNode } from '../graph/model-graph.js';
import { createType, typesWithin, updateType } from './entity-kinds.js';
import { importsOf } from './emit-container.js';
import { argumentValue, entityOf, recordImports, valueType } from './emit-operation-types.js';
import { nestedTable, printPropertyName, printTable, type LiteralObject } from './print-literal.js';
import { typeParameters, withArgument } from './number-parameter.js';
import { numberParameter, union } from './property-types.js';
import { clientPackage, constant, typeImport, typeNamesIn, type Emitted, exportedInterface, exportedType } from './structures.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { localName } from '../../runtime/edm/lookup.js';

/** The sets of a service for its client: their types, and a line of data for each. */
export function emitClient(graph: ModelGraph): Emitted {
  const places = graph.entities.filter(({ place, hierarchy }) => place && place.kind !== 'Containment' && hierarchy.setType === undefined);
  const imports = operationImports(graph);
  const properties = [
    ...places.map((node) => ({ name: printPropertyName(node.place?.name ?? ''), type: placeType(node, graph) })),
    ...imports.map(([name, overloads]) => ({ name: printPropertyName(name), type: operationType(overloads, graph) })),
  ];
  const parameters = parametersOf(properties.map(({ type }) => type).join(' '));
  const types = exportedInterface('Sets', ['The entity sets, singletons and operation imports.'], {
    typeParameters: typeParameters(parameters),
    properties,
  });
  const exact = exactSets(parameters);
  const rows = {
    sets: nestedTable(Object.fromEntries(places.map((node) => [node.place?.name ?? '', placeRow(node, graph)]))),
    ...(imports.length > 0 && {
      operations: nestedTable(Object.fromEntries(imports.map(([name, overloads]) => [name, operationRow(overloads, name)]))),
    }),
  };
  const table = constant(
    'service',
    printTable(rows),
    'The service, for `createClient`.',
    `Schema<${['Sets', ...exact.map(({ name }) => name)].join(', ')}>`,
  );
  const used = ['OperationOf', 'Schema', 'SetOf', 'SingletonOf'];
  const imported = [typeImport(clientPackage, ...typeNamesIn([types, table], used)), ...recordImports([types], graph)];
  return [...imported, types, ...exact, table];
}

// Numbers of keys, bodies and parameters: text of any form, while that of records has the form of numbers.
const writtenParameter = 'Written';

function written(type: string, graph: ModelGraph): string {
  return withArgument(type, writtenParameter, graph);
}

// The parameters that the sets use, with their defaults.
function parametersOf(text: string): { readonly [name: string]: string } {
  const [reads, writes] = [numberParameter, writtenParameter].map((name) => new RegExp(`\\b${name}\\b`).test(text));
  return {
    ...(reads && { [numberParameter]: 'number' }),
    ...(writes && { [writtenParameter]: reads ? numberParameter : 'number' }),
  };
}

function exactSets(parameters: { readonly [name: string]: string }): readonly TypeAliasDeclarationStructure[] {
  const names = Object.keys(parameters);
  if (names.length === 0) return [];
  const given = names.map((name) => (name === numberParameter ? '`${number}`' : 'string'));
  const docs = ["The same with decimals and 64-bit numbers as text, for `decimals: 'string'`."];
  return [exportedType('ExactSets', docs, `Sets<${given.join(', ')}>`)];
}

function placeType(node: EntityNode, graph: ModelGraph): string {
  const { place, key } = node;
  const { typeName, derived } = node.first ?? node;
  const record = withArgument(typeName, numberParameter, graph);
  const create = written(createType(node, graph.entities), graph);
  const update = written(updateType(node, graph.entities), graph);
  const bound = boundTypes(boundTo(node, false, graph), graph);
  if (place?.kind === 'Singleton') return `SingletonOf<${withoutDefaults([record, update, bound])}>`;
  const names = key.length === 0 ? ['never', 'never'] : [union(key), written(derived.key, graph)];
  const types = [record, ...names, create, update, changesOf(node, graph), bound];
  return `SetOf<${withoutDefaults([...types, boundTypes(boundTo(node, true, graph), graph)])}>`;
}

// The changes that the set permits, besides those with a body of their own type.
function changesOf(node: EntityNode, { entities }: ModelGraph): string {
  const nodes = typesWithin(node, entities);
  const offers = (name: OperationName): boolean => nodes.some(({ routes }) => routes.some(({ operation }) => operation === name));
  const isMedia = nodes.some(({ streams, hierarchy }) => !hierarchy.abstract && streams.some(({ name }) => name === mediaStream));
  const changes = [
    ...(isMedia && offers('createEntity') ? ['createMedia'] : []),
    ...(offers('replaceEntity') ? ['replace'] : []),
    ...(offers('deleteEntity') ? ['delete'] : []),
  ];
  return union(changes) || 'never';
}

// Type arguments without those at the end that are the defaults.
function withoutDefaults(types: readonly string[]): string {
  const defaults = new Set(['never', 'object']);
  const last = types.findLastIndex((type) => !defaults.has(type));
  return types.slice(0, last + 1).join(', ');
}

type Overloads = readonly [OperationNode, ...OperationNode[]];

function boundTo(node: EntityNode, toCollection: boolean, { operations }: ModelGraph): readonly (readonly [string, Overloads])[] {
  const own = [node.qualifiedName, ...node.hierarchy.bases];
  return byName(
    operations.filter(({ binding }) => binding !== undefined && binding.collection === toCollection && own.includes(binding.type)),
  );
}

function byName(operations: readonly OperationNode[]): readonly (readonly [string, Overloads])[] {
  const supported = operations.filter(({ unsupported }) => unsupported === undefined);
  const groups = grouped(supported, ({ qualifiedName }) => localName(qualifiedName));
  return [...groups] as unknown as readonly (readonly [string, Overloads])[]; // No group is empty.
}

function operationImports(graph: ModelGraph): readonly (readonly [string, Overloads])[] {
  return importsOf(graph).flatMap(({ name, operation }) => {
    const [group] = byName(graph.operations.filter(({ qualifiedName, binding }) => qualifiedName === operation && binding === undefined));
    return group === undefined ? [] : [[name, group[1]] as const];
  });
}

function boundTypes(operations: readonly (readonly [string, Overloads])[], graph: ModelGraph): string {
  if (operations.length === 0) return 'object';
  return `{ ${operations.map(([name, overloads]) => `${printPropertyName(name)}: ${operationType(overloads, graph)}`).join('; ')} }`;
}

function operationType(overloads: Overloads, graph: ModelGraph): string {
  const parameters = new Set(overloads.map((operation) => parametersType(operation, graph)));
  const results = new Set(overloads.map(({ result }) => (result ? resultType(result, graph) : 'void')));
  return `OperationOf<${[...parameters].join(' | ')}, ${[...results].join(' | ')}>`;
}

function parametersType({ kind, parameters }: OperationNode, graph: ModelGraph): string {
  if (parameters.length === 0) return 'object';
  const members = parameters.map((parameter) => {
    // An action takes an omitted parameter for null, a function for another overload.
    const isOptional = parameter.optional || (parameter.nullable && kind === 'Action');
    return `${printPropertyName(parameter.name)}${isOptional ? '?' : ''}: ${written(givenType(parameter, graph), graph)}`;
  });
  return `{ ${members.join('; ')} }`;
}

// An argument may lack properties that may be null, and an entity those that the operation does not use.
function givenType(parameter: ParameterNode, graph: ModelGraph): string {
  const entity = entityOf(parameter, graph);
  return entity === undefined ? argumentValue(parameter, writtenParameter, graph) : plural(parameter, `Partial<${entity.typeName}>`);
}

function resultType(value: ValueNode, graph: ModelGraph): string {
  const entity = entityOf(value, graph);
  const plain = entity === undefined ? valueType(value, numberParameter, graph) : plural(value, entity.typeName);
  return withArgument(plain, numberParameter, graph);
}

function plural({ collection, nullable }: ValueNode, type: string): string {
  if (collection) return `${type}[]`;
  return nullable ? `${type} | null` : type;
}

function placeRow(node: EntityNode, graph: ModelGraph): LiteralObject {
  const key = Object.fromEntries(node.key.map((name) => [name, keyType(node, name)]));
  return {
    ...(node.place?.kind === 'EntitySet' && { key }),
    ...boundRows('bound', boundTo(node, false, graph)),
    ...boundRows('boundToSet', boundTo(node, true, graph)),
  };
}

function keyType({ fields, keyColumns }: EntityNode, name: string): string {
  const { field, enumeration } = keyColumns.get(name) ?? fields.find((node) => node.name === name) ?? {};
  return enumeration?.table.qualifiedName ?? plain(field?.type ?? '');
}

function boundRows(member: string, operations: readonly (readonly [string, Overloads])[]): LiteralObject {
  if (operations.length === 0) return {};
  return {
    [member]: Object.fromEntries(operations.map(([name, overloads]) => [name, operationRow(overloads, overloads[0].qualifiedName)])),
  };
}

function operationRow(overloads: Overloads, name: string): LiteralObject {
  const [{ kind }] = overloads;
  const parameters = Object.fromEntries(
    overloads.flatMap((operation) => operation.parameters).map((each) => [each.name, parameterType(each)]),
  );
  return {
    name,
    ...(kind === 'Function' && { isFunction: true }),
    ...(overloads.some(({ result }) => result && isValue(result)) && { hasValue: true }),
    ...(kind === 'Function' && Object.keys(parameters).length > 0 && { parameters }),
  };
}

// A single record or complex value is the response itself.
function isValue({ collection, property }: ValueNode): boolean {
  return collection || (property !== undefined && property.field.complex === undefined);
}

function parameterType({ collection, property, type }: ParameterNode): string {
  if (collection || property === undefined || property.field.complex !== undefined || type.startsWith('Edm.Geo')) return 'JSON';
  return property.enumeration ? property.enumeration.table.qualifiedName : plain(property.field.type);
}

function plain(type: string): string {
  return type.replace(/^Edm\./, '');
}
