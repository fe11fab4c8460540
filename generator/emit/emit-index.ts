import { StructureKind, type StatementStructures } from 'ts-morph';
import { isShownName, type Permission } from '../../runtime/edm/index.js';
import type { ContainerMember } from '../csdl/csdl.js';
import type { ComplexNode, EntityNode, ModelGraph } from '../graph/model-graph.js';
import { enumerationImports } from './emit-fields.js';
import { createdAt, hasRecords, stateOwner, transientTypes, updatedAt } from './entity-kinds.js';
import { printKey, printLiteral, printString, printTable, referTo, type Literal, type LiteralObject } from './print-literal.js';
import { reverseRows } from './reverse-relations.js';
import { constant, contract, mapper, typeImport, valueImport, type Emitted } from './structures.js';

/** The module of one entity type: its tables as one object. */
export function emitEntityIndex(entity: EntityNode, graph: ModelGraph): Emitted {
  const { constant: prefix, name, typeName, hierarchy } = entity;
  const states = stateOwner(entity);
  const { bases, derived, abstract, discriminated } = hierarchy;
  const members: readonly (readonly [string, Literal])[] = [
    ['name', name.replace(/@.*/s, '')],
    ['place', /@.*/s.exec(name)?.[0]],
    ['qualifiedName', entity.qualifiedName],
    ['baseTypes', bases.length === 0 ? undefined : bases],
    ['derivedTypes', derived.length === 0 ? undefined : derived],
    ['abstract', abstract || undefined],
    ['discriminated', discriminated || undefined],
    ...placeRows(entity),
    ['table', entity.table],
    ['key', entity.key],
    ['keyFields', keyFieldsOf(entity)],
    ['keyGeneration', entity.keyGeneration && { ...entity.keyGeneration }],
    ['fields', referTo(`${prefix}Fields`)],
    ['hidden', hiddenOf(entity)],
    ['navigation', referTo(`${prefix}Navigation`)],
    ...reverseRows(entity, graph),
    ['streams', streamRows(entity.streams)],
    ['open', entity.open || undefined],
    ['tracking', entity.tracking && { ...entity.tracking }],
    ['events', entity.events && { ...entity.events }],
    ['rules', referTo(`${prefix}Rules`)],
    ['transitions', states && referTo(`${states.constant}Transitions`)],
    ['permissions', permissionsOf(entity)],
    ['conditions', Object.keys(entity.conditions).length === 0 ? undefined : { ...entity.conditions }],
    ...limitRows(entity),
    ['routes', referTo(`${prefix}Routes`)],
  ];
  const table = Object.fromEntries(members.filter(([, value]) => value !== undefined));
  return {
    statements: [...importsOf(entity, states), constant(`${prefix}Type`, printTable(table), `All tables of ${typeName}.`, 'EntityType')],
  };
}

function importsOf(entity: EntityNode, states: EntityNode | undefined): readonly StatementStructures[] {
  const { constant: prefix } = entity;
  return [
    typeImport(contract, 'EntityType'),
    ...enumerationImports([...entity.keyColumns.values()]),
    valueImport('./fields.js', `${prefix}Fields`, `${prefix}Navigation`),
    ...(states === undefined
      ? []
      : [valueImport(states === entity ? './lifecycle.js' : `../${states.folder}/lifecycle.js`, `${states.constant}Transitions`)]),
    valueImport('./routes.js', `${prefix}Routes`),
    valueImport('./validator.js', `${prefix}Rules`),
  ];
}

// The limits of requests.
function limitRows({ limits, requiresFilter, etag }: EntityNode): readonly (readonly [string, Literal | undefined])[] {
  return [
    ['limits', { ...limits }],
    ['requiresFilter', requiresFilter],
    ['etag', etag && { ...etag }],
  ];
}

// Properties of the key that lie within complex values have names in the key alone.
function keyFieldsOf({ keyColumns }: EntityNode): Literal | undefined {
  if (keyColumns.size === 0) return undefined;
  return Object.fromEntries(
    [...keyColumns].map(([name, { path, field, enumeration }]) => [
      name,
      { ...field, ...(enumeration && { enumeration: referTo(enumeration.constant) }), path },
    ]),
  );
}

function hiddenOf({ fields }: EntityNode): Literal | undefined {
  const hidden = fields.map(({ name }) => name).filter((name) => !isShownName(name));
  return hidden.length === 0 ? undefined : hidden;
}

// The set, the singleton, or the records that contain it.
function placeRows({ place, familySet, hierarchy: { setType } }: EntityNode): readonly (readonly [string, Literal | undefined])[] {
  const declared = ['setType', setType] as const;
  switch (place?.kind) {
    case 'EntitySet':
      return [declared, ['entitySet', place.name]];
    case 'Singleton':
      return [
        declared,
        ['singleton', place.name],
        ['nullable', (place.member?.kind === 'Singleton' && place.member.nullable) || undefined],
      ];
    case 'Containment':
      return [declared, ['contained', place.containment?.property.collection ? 'many' : 'one']];
    default:
      return [['familySet', familySet]];
  }
}

function permissionsOf({ permissions }: EntityNode): Literal {
  return Object.fromEntries(
    Object.entries<readonly Permission[] | undefined>({ ...permissions }).map(
      ([operation, list]) =>
        [operation, list?.map(({ scope, except, rows }) => ({ scope, except, ...(rows !== undefined && { rows }) }))] as const,
    ),
  );
}

/** The container: every entity type by name, every set, and the Sequelize models. */
export function emitContainer(graph: ModelGraph): Emitted {
  const { namespace, complexTypes, filterFunctions, schemaVersion, enumerations, tables } = graph;
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
  return {
    statements: [
      typeImport(contract, 'EntityContainer'),
      typeImport(mapper, 'Sequelize'),
      ...(enumerations.length === 0 ? [] : [valueImport('./enumerations.js', ...enumerations.map(({ constant: name }) => name))]),
      ...entities.flatMap(({ folder, constant: prefix, typeName }) => [
        valueImport(`./${folder}/index.js`, `${prefix}Type`),
        ...(tables.some((table) => table.folder === folder) ? [valueImport(`./${folder}/model.js`, `define${typeName}Model`)] : []),
      ]),
      ...transientTypes(graph).map(({ folder, constant: prefix }) =>
        valueImport(`./${folder}/fields.js`, `${prefix}Fields`, `${prefix}Navigation`),
      ),
      ...complexTypes.map(({ folder, constant: prefix }) => valueImport(`./${folder}/fields.js`, `${prefix}Type`)),
      ...(graph.operations.length === 0 ? [] : [valueImport('./operations.js', 'operations')]),
      constant('container', initializer, 'The whole model for the runtime.', 'EntityContainer'),
      ...modelsOf(tables),
    ],
  };
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
    operationImports: operationImportsOf(graph),
  };
  const unlisted = containerMembers(graph).flatMap((set) => (set.kind === 'EntitySet' && !set.includeInServiceDocument ? [set.name] : []));
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

// The operation imports by name.
function operationImportsOf(graph: ModelGraph): LiteralObject {
  const { aliases } = graph;
  const imports = containerMembers(graph).flatMap((member) => {
    if (member.kind !== 'ActionImport' && member.kind !== 'FunctionImport') return [];
    const listed = member.kind === 'FunctionImport' && member.includeInServiceDocument;
    return [
      [
        member.name,
        { kind: member.kind.replace('Import', ''), operation: qualifyWith(aliases, member.operation), ...(listed && { listed }) },
      ] as const,
    ];
  });
  return Object.fromEntries(imports);
}

/** The members of the entity container, in the order of the document. */
export function containerMembers({ csdl }: ModelGraph): readonly ContainerMember[] {
  return csdl.schemas.flatMap(({ elements }) => elements.flatMap((element) => (element.kind === 'EntityContainer' ? element.members : [])));
}

/** The name of an operation, with its namespace in place of the alias. */
export function qualifyWith(aliases: ModelGraph['aliases'], name: string): string {
  const dot = name.lastIndexOf('.');
  const namespace = aliases.get(name.slice(0, dot));
  return namespace === undefined ? name : `${namespace}${name.slice(dot)}`;
}

// In the order of the document, which is the order of the service document.
function membersOf(
  graph: ModelGraph,
  kind: 'EntitySet' | 'Singleton',
  entities: readonly EntityNode[],
): readonly (readonly [string, string])[] {
  return containerMembers(graph).flatMap((member) => {
    const entity =
      member.kind === kind
        ? entities.find(({ place, hierarchy }) => place?.member === member && hierarchy.setType === undefined)
        : undefined;
    return entity === undefined ? [] : [[member.name, entity.name] as const];
  });
}

function modelsOf(entities: readonly EntityNode[]): readonly StatementStructures[] {
  const models = entities.map(({ name, typeName }) => ({ name: printKey(name), define: `define${typeName}Model` }));
  return [
    {
      kind: StructureKind.Interface,
      isExported: true,
      name: 'Models',
      docs: ['The Sequelize models by entity type.'],
      properties: models.map(({ name, define }) => ({ name, isReadonly: true, type: `ReturnType<typeof ${define}>` })),
    },
    {
      kind: StructureKind.Function,
      isExported: true,
      name: 'defineModels',
      parameters: [{ name: 'sequelize', type: 'Sequelize' }],
      returnType: 'Models',
      docs: ['Defines the Sequelize models.'],
      statements: [`return {\n${models.map(({ name, define }) => `  ${name}: ${define}(sequelize),\n`).join('')}};`],
    },
  ];
}

/** The barrel that other projects import: types only. */
export function emitTypesBarrel({ entities, enumerations, complexTypes }: ModelGraph): Emitted {
  const names = enumerations.map(({ typeName }) => typeName);
  return {
    statements: [
      ...(names.length === 0 ? [] : [exported('enumerations', names)]),
      ...entities
        .filter(({ first }) => first === undefined)
        .map((entity) => exported(`${entity.folder}/types`, recordTypes(entity, entities))),
      ...complexTypes.map((complex) => exported(`${complex.folder}/types`, complexNames(complex))),
    ],
  };
}

function exported(module: string, namedExports: string[]): StatementStructures {
  return { kind: StructureKind.ExportDeclaration, isTypeOnly: true, moduleSpecifier: `./${module}.js`, namedExports };
}

// The unions of inherited properties are those of the type that declares them.
function recordTypes(entity: EntityNode, entities: readonly EntityNode[]): string[] {
  const { typeName, derived, fields, key } = entity;
  const bodies = [...(createdAt(entity, entities) ? [derived.create] : []), ...(updatedAt(entity, entities) ? [derived.update] : [])];
  return [
    typeName,
    ...(key.length === 0 ? [] : [derived.key]),
    ...bodies,
    ...fields.flatMap(({ unionName, inherited }) => (unionName === undefined || inherited ? [] : [unionName])),
  ];
}

// The unions of inherited properties are those of the type that declares them.
function complexNames({ typeName, derived, fields }: ComplexNode): string[] {
  return [typeName, derived.create, derived.update, ...fields.flatMap(({ unionName }) => unionName ?? [])];
}

function streamRows(streams: EntityNode['streams']): Literal | undefined {
  return streams.length === 0 ? undefined : Object.fromEntries(streams.map(({ name, stream }) => [name, { ...stream }]));
}
