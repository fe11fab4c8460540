import type { StatementStructures } from './ts-morph.js';
import type { OperationImport } from '../csdl/csdl.js';
import { containerMembers } from '../csdl/map-elements.js';
import { qualifyWith } from '../csdl/names-in.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';
import { hasRecords, hasTable, transientTypes } from './entity-kinds.js';
import { printKey, printLiteral, printString, printTable, referTo, type LiteralObject } from './print-literal.js';
import { constant, contract, mapper, typeImport, valueImport, type Emitted, exportedInterface } from './structures.js';

/** The container: every entity type by name, every set, and the types of the Sequelize models. */
export function emitContainer(graph: ModelGraph): Emitted {
  const { namespace, complexTypes, filterFunctions, schemaVersion, enumerations } = graph;
  const entities = graph.entities.filter(hasRecords);
  const types = entities.map(({ name, constant: prefix }) => `    ${printKey(name)}: ${prefix}Type,\n`).join('');
  const named = (kind: 'EntitySet' | 'Singleton'): string =>
    membersOf(graph, kind, entities)
      .map(([set, name]) => `    ${printKey(set)}: ${printString(name)},\n`)
      .join('');
  const singletons = named('Singleton');
  const functions = filterFunctions === undefined ? '' : `  filterFunctions: [${filterFunctions.map(printString).join(', ')}],\n`;
  const version = schemaVersion === undefined ? '' : `  schemaVersion: ${printString(schemaVersion)},\n`;
  const initializer = [
    `{\n  namespace: ${printString(namespace)},\n${version}`,
    `  entityTypes: {\n${types}  },\n  entitySets: {\n${named('EntitySet')}  },\n${singletons === '' ? '' : `  singletons: {\n${singletons}  },\n`}${otherNames(graph)}${functions}}`,
  ].join('');
  return [
    typeImport(contract, 'EntityContainer'),
    typeImport(mapper, 'TableModel'),
    ...(enumerations.length === 0 ? [] : [valueImport('./enumerations.js', ...enumerations.map(({ constant: name }) => name))]),
    ...entities.flatMap(({ folder, constant: prefix, events }) => [
      valueImport(`./${folder}/index.js`, `${prefix}Type`),
      ...(events === undefined ? [typeImport(`./${folder}/fields.js`, `${prefix}Fields`)] : []),
    ]),
    ...transientTypes(graph).map(({ folder, constant: prefix }) =>
      valueImport(`./${folder}/fields.js`, `${prefix}Fields`, `${prefix}Navigation`),
    ),
    ...complexTypes.map(({ folder, constant: prefix }) => valueImport(`./${folder}/fields.js`, `${prefix}Type`)),
    ...(graph.operations.length === 0 ? [] : [valueImport('./operations.js', 'operations')]),
    constant('container', initializer, 'The whole model for the runtime.', 'EntityContainer'),
    modelsOf(entities),
  ];
}

// Further names in requests: enumerations, type definitions, and aliases of namespaces.
function otherNames(graph: ModelGraph): string {
  const { complexTypes, enumerations, typeDefinitions, aliases, operations, defaultNamespaces, unsupported } = graph;
  const complex = Object.fromEntries(complexTypes.map(({ qualifiedName, constant: prefix }) => [qualifiedName, referTo(`${prefix}Type`)]));
  const enumTypes = Object.fromEntries(enumerations.map(({ table, constant: name }) => [table.qualifiedName, referTo(name)]));
  const transient = Object.fromEntries(transientTypes(graph).map((entity) => [entity.qualifiedName, transientRow(entity)]));
  const tables = {
    transientTypes: transient,
    complexTypes: complex,
    enumTypes,
    typeDefinitions: Object.fromEntries(typeDefinitions),
    aliases: Object.fromEntries(aliases),
    operationImports: Object.fromEntries(importsOf(graph).map((member) => [member.name, importRow(member)])),
  };
  const unlisted = containerMembers(graph.csdl).flatMap((set) =>
    set.kind === 'EntitySet' && !set.includeInServiceDocument ? [set.name] : [],
  );
  const rows = Object.entries<LiteralObject>(tables).filter(([, table]) => Object.keys(table).length > 0);
  return [
    ...rows.map(([name, table]) => `  ${name}: ${printTable(table).replace(/\n/g, '\n  ')},\n`),
    ...(operations.length === 0 ? [] : ['  operations,\n']),
    ...(unsupported.length === 0 ? [] : [`  unsupported: ${printLiteral(unsupported)},\n`]),
    ...(unlisted.length === 0 ? [] : [`  unlistedSets: ${printLiteral(unlisted)},\n`]),
    ...(defaultNamespaces.length === 0 ? [] : [`  defaultNamespaces: ${printLiteral(defaultNamespaces)},\n`]),
  ].join('');
}

function transientRow({ name, qualifiedName, hierarchy: { abstract, derived }, open, constant: prefix }: EntityNode): LiteralObject {
  return {
    name,
    qualifiedName,
    ...(abstract && { abstract }),
    ...(derived.length > 0 && { derivedTypes: derived }),
    ...(open && { open }),
    fields: referTo(`${prefix}Fields`),
    navigation: referTo(`${prefix}Navigation`),
  };
}

/** The operation imports of a model, with the qualified names of their operations. */
export function importsOf({ csdl, aliases }: Pick<ModelGraph, 'csdl' | 'aliases'>): readonly OperationImport[] {
  return containerMembers(csdl).flatMap((member) =>
    member.kind === 'ActionImport' || member.kind === 'FunctionImport'
      ? [{ ...member, operation: qualifyWith(aliases, member.operation) }]
      : [],
  );
}

function importRow({ kind, operation, includeInServiceDocument: listed }: OperationImport): LiteralObject {
  return { kind: kind.replace('Import', ''), operation, ...(kind === 'FunctionImport' && listed && { listed }) };
}

// In the order of the document, which is the order of the service document.
function membersOf(
  graph: ModelGraph,
  kind: 'EntitySet' | 'Singleton',
  entities: readonly EntityNode[],
): readonly (readonly [string, string])[] {
  return containerMembers(graph.csdl)
    .filter((member) => member.kind === kind)
    .flatMap((member) => {
      const entity = entities.find(({ place, hierarchy }) => place?.member === member && hierarchy.setType === undefined);
      return entity === undefined ? [] : [[member.name, entity.name] as const];
    });
}

function modelsOf(entities: readonly EntityNode[]): StatementStructures {
  const properties = entities.filter(hasTable).map((root) => {
    const derived = entities.filter((entity) => entity !== root && entity.hierarchy.root === root.id);
    const types = [fieldsOf(root), ...(derived.length === 0 ? [] : [derived.map(fieldsOf).join(' & ')])];
    return { name: printKey(root.name), isReadonly: true, type: `TableModel<${types.join(', ')}>` };
  });
  return exportedInterface('Models', ['The Sequelize models by entity type.'], { properties });
}

function fieldsOf({ constant: prefix }: EntityNode): string {
  return `typeof ${prefix}Fields`;
}
