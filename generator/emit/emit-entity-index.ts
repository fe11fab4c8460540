import { stampOf } from '../graph/checks/check-layout.js';
import type { StatementStructures } from './ts-morph.js';
import { isShownName } from '../../runtime/edm/index.js';
import { columnNamed } from '../graph/entities/column-named.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';
import { mapPermissions } from '../map-permissions.js';
import { enumerationImports } from './emit-fields.js';
import { stateOwner } from './entity-kinds.js';
import { printTable, referTo, type Literal } from './print-literal.js';
import { reverseRows } from './reverse-relations.js';
import { constant, contract, typeImport, valueImport, type Emitted } from './structures.js';

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
    ['partitions', partitionsOf(entity)],
    ['rules', referTo(`${prefix}Rules`)],
    ['transitions', states && referTo(`${states.constant}Transitions`)],
    ['permissions', permissionsOf(entity)],
    ['conditions', Object.keys(entity.conditions).length === 0 ? undefined : { ...entity.conditions }],
    ...limitRows(entity),
    ['routes', referTo(`${prefix}Routes`)],
  ];
  const table = Object.fromEntries(members.filter(([, value]) => value !== undefined));
  return [...importsOf(entity, states), constant(`${prefix}Type`, printTable(table), `All tables of ${typeName}.`, 'EntityType')];
}

// The age of a partition is that of its last record.
function partitionsOf(entity: EntityNode): { readonly [name: string]: string | number } | undefined {
  const { partitionRows: rows, keptDays } = entity.layout ?? {};
  if (rows === undefined) return undefined;
  const stamp = stampOf(entity);
  return { rows, ...(keptDays !== undefined && stamp !== undefined && { keptDays, stamp: columnNamed(entity, stamp) }) };
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
  return {
    ...mapPermissions(permissions, (list) =>
      list.map(({ scope, except, rows }) => ({ scope, except, ...(rows !== undefined && { rows }) })),
    ),
  };
}

function streamRows(streams: EntityNode['streams']): Literal | undefined {
  return streams.length === 0 ? undefined : Object.fromEntries(streams.map(({ name, stream }) => [name, { ...stream }]));
}
