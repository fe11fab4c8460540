import type { AbstractDataTypeConstructor, ModelAttributeColumnOptions, ModelAttributes, Sequelize } from 'sequelize';
import { DataTypes } from 'sequelize';
import type { EntityContainer, EntityType, Field, PrimitiveTypeName } from '../edm/index.js';
import { openColumn, primitives, streamColumns } from '../edm/index.js';
import { instanceMembers } from './sequelize.js';

/** Defines the Sequelize model of each table, by the name of the table's root type. */
export function defineModels(sequelize: Sequelize, { entityTypes }: EntityContainer): void {
  const tables = new Map<string, EntityType[]>();
  for (const type of Object.values(entityTypes)) {
    if (type.events === undefined) tables.set(type.table, [...(tables.get(type.table) ?? []), type]);
  }
  const references = referencesOf(entityTypes);
  for (const [name, root] of Object.entries(entityTypes)) {
    const types = tables.get(root.table) ?? [];
    if (types.some((type) => type === root) && !types.some((type) => root.baseTypes?.includes(type.qualifiedName)))
      sequelize.define(name, attributesOf(root, types, references.get(root.table) ?? []), {
        tableName: root.table,
        timestamps: false,
        freezeTableName: true,
      });
  }
}

// The columns with the numbers of related rows, by table.
function referencesOf(entityTypes: EntityContainer['entityTypes']): ReadonlyMap<string, readonly string[]> {
  const references = new Map<string, string[]>();
  const add = (table: string | undefined, columns: readonly string[]): void => {
    if (table !== undefined) references.set(table, [...(references.get(table) ?? []), ...columns.filter(isReference)]);
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

function isReference(column: string): boolean {
  return column.startsWith('#') && column !== '#id';
}

type Column = ModelAttributeColumnOptions;

function attributesOf(root: EntityType, types: readonly EntityType[], references: readonly string[]): ModelAttributes {
  const fields = types.flatMap(({ fields: table }) => Object.entries(table));
  const streams = types.flatMap((type) => Object.values(type.streams ?? {}));
  const columns = new Map<string, Column>([
    ['#id', { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true }],
    ['#version', { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 }],
    ...(root.discriminated ? [['#type', { type: DataTypes.TEXT, allowNull: false }] as const] : []),
    ...(root.singleton === undefined ? [] : [['#one', { type: DataTypes.BOOLEAN, allowNull: false, defaultValue: true }] as const]),
    ...references.map((column) => [column, { type: DataTypes.BIGINT }] as const),
    ...streams.flatMap((stream) => {
      const { stream: id, type, length, etag } = streamColumns(stream);
      return [
        [id, { type: DataTypes.UUID }],
        [type, { type: DataTypes.TEXT }],
        [length, { type: DataTypes.BIGINT }],
        [etag, { type: DataTypes.TEXT }],
      ] as const;
    }),
  ]);
  const shared = fields.flatMap(([, { more, column }]) => (more && column !== undefined ? [column] : []));
  for (const [name, field] of fields) if (!field.more) addField(columns, name, field, name in root.fields);
  for (const column of [...shared, ...(types.some(({ open }) => open) ? [openColumn] : [])])
    columns.set(column, { type: DataTypes.JSONB, allowNull: false, defaultValue: {} });
  return Object.fromEntries(columns);
}

// Types that derive from the root may have properties of one name, which differ in their columns.
function addField(columns: Map<string, Column>, name: string, field: Field, isOfRoot: boolean): void {
  const column = field.column ?? name;
  const own = reserved.has(name) ? `${name}_` : name;
  const known = columns.get(own);
  const attribute = known === undefined || (known.field ?? own) === column ? own : column;
  columns.set(attribute, {
    type: dataType(field),
    allowNull: field.nullable === true || !isOfRoot,
    ...(attribute !== column && { field: column }),
  });
}

const reserved: ReadonlySet<string> = new Set(instanceMembers);

const dataTypes: { readonly [Type in PrimitiveTypeName]?: AbstractDataTypeConstructor } = {
  'Edm.Boolean': DataTypes.BOOLEAN,
  'Edm.Byte': DataTypes.SMALLINT,
  'Edm.SByte': DataTypes.SMALLINT,
  'Edm.Int16': DataTypes.SMALLINT,
  'Edm.Int32': DataTypes.INTEGER,
  'Edm.Int64': DataTypes.BIGINT,
  'Edm.Decimal': DataTypes.DECIMAL,
  'Edm.Single': DataTypes.REAL,
  'Edm.Double': DataTypes.DOUBLE,
  'Edm.Date': DataTypes.DATEONLY,
  'Edm.TimeOfDay': DataTypes.TIME,
  'Edm.DateTimeOffset': DataTypes.DATE,
  'Edm.Guid': DataTypes.UUID,
  'Edm.Binary': DataTypes.BLOB,
};

function dataType({ type, collection }: Field): Column['type'] {
  const { sql, cell } = primitives[type];
  if (sql === 'jsonb') return DataTypes.JSONB;
  // Sequelize has neither points nor intervals without an extension, and passes a plain name on.
  if (cell === 'duration' || cell === 'point') return collection ? `${sql}[]` : sql;
  const single = dataTypes[type] ?? DataTypes.TEXT;
  return collection ? DataTypes.ARRAY(single) : single;
}
