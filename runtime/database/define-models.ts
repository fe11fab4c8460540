import type { AbstractDataTypeConstructor, DataTypes, ModelAttributeColumnOptions, ModelAttributes } from 'sequelize';
import type { EntityContainer, EntityType, Field, PrimitiveTypeName } from '../edm/index.js';
import { openColumn, primitives, streamColumns } from '../edm/index.js';
import { instanceMembers } from './instance-members.js';
import type { ConnectionPool } from './pool.js';
import { grouped } from '../edm/grouped.js';

/** Defines the Sequelize model of each table, by the name of the table's root type. */
export function defineModels({ models }: ConnectionPool, { entityTypes }: EntityContainer): void {
  const stored = Object.values(entityTypes).filter(({ events }) => events === undefined);
  const tables = grouped(stored, ({ table }) => table);
  for (const [name, root] of Object.entries(entityTypes)) {
    const types = tables.get(root.table) ?? [];
    if (types.some((type) => type === root) && !types.some((type) => root.baseTypes?.includes(type.qualifiedName)))
      models.set(name, (sequelize, dataTypes) => {
        const references = referencesOf(entityTypes).get(root.table) ?? [];
        sequelize.define(name, attributesOf(root, types, references, dataTypes), {
          tableName: root.table,
          timestamps: false,
          freezeTableName: true,
        });
      });
  }
}

// The columns with the numbers of related rows, by table.
function referencesOf(entityTypes: EntityContainer['entityTypes']): ReadonlyMap<string, readonly string[]> {
  const references = new Map<string, string[]>();
  const add = (table: string | undefined, columns: readonly string[]): void => {
    if (table !== undefined)
      references.set(table, [...(references.get(table) ?? []), ...columns.filter((column) => column.startsWith('#') && column !== '#id')]);
  };
  for (const { table, navigation } of Object.values(entityTypes)) {
    for (const { target, join, through } of Object.values(navigation)) {
      if (through !== undefined) continue;
      add(table, Object.keys(join));
      add(entityTypes[target]?.table, Object.values(join));
    }
  }
  return references;
}

type Column = ModelAttributeColumnOptions;
type Types = typeof DataTypes;

function attributesOf(root: EntityType, types: readonly EntityType[], references: readonly string[], dataTypes: Types): ModelAttributes {
  const fields = types.flatMap(({ fields: table }) => Object.entries(table));
  const streams = types.flatMap((type) => Object.values(type.streams ?? {}));
  const columns = new Map<string, Column>([
    ['#id', { type: dataTypes.BIGINT, primaryKey: true, autoIncrement: true }],
    ['#version', { type: dataTypes.BIGINT, allowNull: false, defaultValue: 1 }],
    ...(root.discriminated ? [['#type', { type: dataTypes.TEXT, allowNull: false }] as const] : []),
    ...(root.singleton === undefined ? [] : [['#one', { type: dataTypes.BOOLEAN, allowNull: false, defaultValue: true }] as const]),
    ...references.map((column) => [column, { type: dataTypes.BIGINT }] as const),
    ...streams.flatMap((stream) => {
      const { stream: id, type, length, etag } = streamColumns(stream);
      return [
        [id, { type: dataTypes.UUID }],
        [type, { type: dataTypes.TEXT }],
        [length, { type: dataTypes.BIGINT }],
        [etag, { type: dataTypes.TEXT }],
      ] as const;
    }),
  ]);
  const shared = fields.flatMap(([, { more, column }]) => (more && column !== undefined ? [column] : []));
  for (const [name, field] of fields)
    if (!field.more) addField(columns, name, { field, type: dataType(field, dataTypes), isOfRoot: name in root.fields });
  for (const column of [...shared, ...(types.some(({ open }) => open) ? [openColumn] : [])])
    columns.set(column, { type: dataTypes.JSONB, allowNull: false, defaultValue: {} });
  return Object.fromEntries(columns);
}

// Types that derive from the root may have properties of one name, which differ in their columns.
function addField(
  columns: Map<string, Column>,
  name: string,
  { field, type, isOfRoot }: { readonly field: Field; readonly type: Column['type']; readonly isOfRoot: boolean },
): void {
  const column = field.column ?? name;
  const own = reserved.has(name) ? `${name}_` : name;
  const known = columns.get(own);
  const attribute = known === undefined || (known.field ?? own) === column ? own : column;
  columns.set(attribute, {
    type,
    allowNull: field.nullable === true || !isOfRoot,
    ...(attribute !== column && { field: column }),
  });
}

const reserved: ReadonlySet<string> = new Set(instanceMembers);

// Other types are text.
const dataTypeNames: { readonly [Type in PrimitiveTypeName]?: keyof Types } = {
  'Edm.Boolean': 'BOOLEAN',
  'Edm.Byte': 'SMALLINT',
  'Edm.SByte': 'SMALLINT',
  'Edm.Int16': 'SMALLINT',
  'Edm.Int32': 'INTEGER',
  'Edm.Int64': 'BIGINT',
  'Edm.Decimal': 'DECIMAL',
  'Edm.Single': 'REAL',
  'Edm.Double': 'DOUBLE',
  'Edm.Date': 'DATEONLY',
  'Edm.TimeOfDay': 'TIME',
  'Edm.DateTimeOffset': 'DATE',
  'Edm.Guid': 'UUID',
  'Edm.Binary': 'BLOB',
};

function dataType({ type, collection }: Field, dataTypes: Types): Column['type'] {
  const { sql, cell } = primitives[type];
  if (sql === 'jsonb') return dataTypes.JSONB;
  // Sequelize has neither points nor intervals without an extension, and passes a plain name on.
  if (cell === 'duration' || cell === 'point') return collection ? `${sql}[]` : sql;
  const single = dataTypes[dataTypeNames[type] ?? 'TEXT'] as AbstractDataTypeConstructor;
  return collection ? dataTypes.ARRAY(single) : single;
}
