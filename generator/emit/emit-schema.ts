import { isArray, openColumn } from '../../runtime/edm/index.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Constraint, ForeignKey, Schema, Table } from '../../runtime/schema/schema.js';
import { columnNamed } from '../graph/entities/column-named.js';
import type { EntityNode, FieldNode, ModelGraph, NavigationNode } from '../graph/model-graph.js';
import { databaseName } from '../graph/names/names.js';
import { itemType, scalarType, sharedType } from './column-type.js';
import { changeTables } from './change-table.js';
import { indexesOf, searchColumn } from './emit-indexes.js';
import { withLayouts } from './table-layout.js';
import { streamSchemaColumns, streamTables, rowKey } from './stream-table.js';
import { withOwningTypes } from './owning-types.js';
import { singletonRow } from './singleton-row.js';
import { limitsOf, valueMembersOf, valuesOf } from './value-members.js';
import { withValueTypes } from './value-types.js';
import type { JoinTable, Relation } from '../graph/storage.js';

/** The database schema of the model, as data; migrations compare it with the previous one. */
export function emitSchema(graph: ModelGraph): Schema {
  const { tables, entities, complexTypes } = graph;
  const withValueMembers = valueMembersOf(tables, complexTypes);
  // A base type's table may belong to an entity source of a derived type.
  const declared = new Map(
    entities.filter(({ place, qualifiedName }) => place?.declared === qualifiedName).map((entity) => [entity.table, entity]),
  );
  return {
    extensions: tables.some(({ indexes }) => indexes.some(({ substrings }) => substrings)) ? ['pg_trgm'] : [],
    tables: withLayouts(
      [
        ...tables.map((table) => ({
          ...withOwningTypes(withValueMembers(withValueTypes(tableOf(table, declared.get(table.table)), table, graph), table), entities),
          ...entities.filter(({ id }) => id === table.id).map(singletonRow)[0],
        })),
        ...tables.flatMap(({ navigation }) =>
          navigation.flatMap(({ joinTable }) => (joinTable === undefined ? [] : [joinTableOf(joinTable)])),
        ),
        ...streamTables(tables),
        ...changeTables(entities),
      ],
      entities,
    ),
  };
}

function tableOf(entity: EntityNode, declared = entity): Table {
  const { fields, navigation, parents, table } = entity;
  const internal = navigation.flatMap(({ relation }) => (relation?.internal === undefined ? [] : [relation.internal]));
  return {
    name: table,
    columns: [
      { name: '#id', type: 'bigint', identity: true },
      { name: '#version', type: 'bigint', notNull: true, default: '1' },
      ...typeColumn(declared),
      ...(isSingleton(entity) ? [oneColumn] : []),
      ...[...parents, ...internal].map(({ column, nullable }): Column => ({
        name: column,
        type: 'bigint',
        ...(!nullable && { notNull: true }),
      })),
      ...fields.filter(({ field }) => !field.more).map(columnOf),
      ...entity.streams.flatMap(streamSchemaColumns),
      ...moreColumn(fields),
      ...(entity.open ? [jsonColumn(openColumn)] : []),
      ...pathColumns(entity),
      ...searchColumn(entity),
    ],
    constraints: [
      ...identities(entity),
      ...parents.map(({ column, table: principal }) => rowKey(`${table}${column}#fk`, column, principal, 'cascade')),
      ...navigation.flatMap((node) => (node.relation === undefined ? [] : [foreignKeyOf(entity, node, node.relation)])),
    ],
    indexes: indexesOf(entity),
    ...(declared.place && { place: declared.place.name }),
  };
}

// The type of an entity; rows from before there were several types have the first one.
function typeColumn({ qualifiedName, hierarchy: { discriminated, abstract, derived } }: EntityNode): readonly Column[] {
  if (!discriminated) return [];
  return [
    {
      name: '#type',
      type: 'text',
      collation: 'C',
      notNull: true,
      types: [qualifiedName, ...derived],
      ...(!abstract && { fill: literal(qualifiedName) }),
    },
  ];
}

// The generated columns for keys and foreign keys within complex values, each once.
function pathColumns({ keyColumns, navigation }: EntityNode): readonly Column[] {
  const all = [...keyColumns.values(), ...navigation.flatMap((node) => node.pathColumns)];
  return all
    .filter(({ column }, index) => all.findIndex((other) => other.column === column) === index)
    .flatMap(({ column: name, field, generated }) => {
      const collation = field.type === 'Edm.String' && { collation: 'C' };
      if (generated === undefined) return [];
      return [{ name, type: scalarType(field), ...collation, generated, ...(!field.nullable && { notNull: true }) }];
    });
}

// The key serves joins from the source, the index those from the target.
function joinTableOf({ name, columns }: JoinTable): Table {
  return {
    name,
    columns: columns.map(({ column }) => ({ name: column, type: 'bigint', notNull: true })),
    constraints: [
      { kind: 'primary key', name: databaseName(`${name}#pair`), columns: columns.map(({ column }) => column) },
      ...columns.map(({ column, principal, onDelete }) =>
        rowKey(`${name}${column}#fk`, column, principal, onDelete === 'cascade' ? onDelete : undefined),
      ),
    ],
    indexes: columns.slice(1).map(({ column }) => ({ name: databaseName(`${name}${column}#join`), terms: [quote(column)] })),
  };
}

function isSingleton({ place }: EntityNode): boolean {
  return place?.kind === 'Singleton';
}

// A column with one possible value, and unique.
const oneColumn: Column = { name: '#one', type: 'boolean', notNull: true, default: 'true' };

/** The unique constraints of a table: the key; for contained rows with the parent; for a singleton `#one`. */
function identities(entity: EntityNode): readonly Constraint[] {
  const { table, key, parents, place } = entity;
  const columns = key.map((name) => columnNamed(entity, name));
  if (isSingleton(entity))
    return [
      { kind: 'unique', name: databaseName(`${table}#one`), columns: ['#one'] },
      { kind: 'check', name: databaseName(`${table}#only`), expression: '"#one"' },
    ];
  if (parents.length === 0) return columns.length === 0 ? [] : [{ kind: 'unique', name: databaseName(`${table}#key`), columns }];
  const within = place?.containment?.property.collection ? columns : [];
  const keys = parents.map(({ column }): Constraint => {
    return { kind: 'unique', name: databaseName(`${table}${column}#key`), columns: [column, ...within] };
  });
  const all = parents.map(({ column }) => quote(column)).join(', ');
  return parents.length === 1
    ? keys
    : [...keys, { kind: 'check', name: databaseName(`${table}#parent`), expression: `num_nonnulls(${all}) = 1` }];
}

// Properties that do not fit into a row, as one JSON object.
function moreColumn(fields: readonly FieldNode[]): readonly Column[] {
  const shared = fields.filter(({ field }) => field.more);
  const [first] = shared;
  // Sibling derived types may have properties of one name.
  const held = new Map(shared.toReversed().map((node) => [node.name, { ...columnOf(node), name: node.name }]));
  return first === undefined ? [] : [{ ...jsonColumn(first.column), holds: [...held.values()].toReversed() }];
}

function jsonColumn(name: string): Column {
  return { name, type: 'jsonb', notNull: true, default: "'{}'" };
}

function columnOf({ column, field }: FieldNode): Column {
  const collation = field.type === 'Edm.String' && { collation: 'C' };
  const nullItems = field.nullableItems && ({ nullItems: true } as const);
  const edm = sharedType(field);
  const shared = edm !== undefined && { edm };
  if (field.collection && !isArray(field)) return { name: column, type: 'jsonb', notNull: true, default: "'[]'", ...shared, ...nullItems };
  const items = scalarType(field) !== itemType(field) && { items: scalarType(field) };
  return {
    name: column,
    type: field.collection ? `${itemType(field)}[]` : scalarType(field),
    ...collation,
    ...((field.collection || !field.nullable) && { notNull: true }),
    ...(field.collection && { default: "'{}'" }),
    ...shared,
    ...valuesOf(field),
    ...(field.collection ? { ...nullItems, ...items } : limitsOf(field)),
  };
}

function foreignKeyOf({ table }: EntityNode, { storedName }: NavigationNode, relation: Relation): ForeignKey {
  const { internal, columns, principal, principalColumns, onDelete } = relation;
  return {
    kind: 'foreign key',
    name: databaseName(`${table}#${storedName}#fk`),
    columns: internal === undefined ? columns : [internal.column],
    principal,
    principalColumns: internal === undefined ? principalColumns : ['#id'],
    ...(onDelete !== 'no action' && { onDelete }),
    ...(internal === undefined && { deferrable: true }),
  };
}
