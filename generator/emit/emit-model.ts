import { StructureKind } from 'ts-morph';
import { type Field, openColumn, primitives, streamColumns } from '../../runtime/edm/index.js';
import type { EntityNode, FieldNode, StreamNode } from '../graph/model-graph.js';
import { printKey, printString } from './print-literal.js';
import { mapper, typeImport, valueImport, type Emitted } from './structures.js';

/** The Sequelize definition of a table, and the type of its rows. */
export function emitModel(entity: EntityNode): Emitted {
  const { typeName, derived, name, table } = entity;
  const columns = [...internalColumns(entity), ...fieldColumns(entity)];
  const rows = columns.map(({ attribute, definition }) => `  ${printKey(attribute)}: { ${definition} },\n`).join('');
  const options = `{ tableName: ${printString(table)}, timestamps: false, freezeTableName: true }`;
  return {
    statements: [
      valueImport(mapper, 'DataTypes'),
      typeImport(mapper, 'Sequelize', 'TableModel', 'TableRow'),
      {
        kind: StructureKind.Interface,
        isExported: true,
        name: derived.row,
        docs: [`A row of the table of ${name}, as Sequelize reads it.`],
        properties: columns.map(({ attribute, type }) => ({ name: printKey(attribute), type })),
      },
      {
        kind: StructureKind.Function,
        isExported: true,
        name: `define${typeName}Model`,
        parameters: [{ name: 'sequelize', type: 'Sequelize' }],
        returnType: `TableModel<${derived.row}>`,
        docs: [`The table of ${name}, as the migrations create it.`],
        statements: [`return sequelize.define<TableRow<${derived.row}>>(${printString(name)}, {\n${rows}}, ${options});`],
      },
    ],
  };
}

/** A column of a table: its name in the model, its definition, and the type of its values. */
interface ColumnRow {
  readonly attribute: string;
  readonly definition: string;
  readonly type: string;
}

function column(attribute: string, dataType: string, type: string, rest = 'allowNull: true'): ColumnRow {
  return { attribute, definition: `type: ${dataType}, ${rest}`, type: rest.startsWith('allowNull: true') ? `${type} | null` : type };
}

function internalColumns({ navigation, parents, place, streams }: EntityNode): readonly ColumnRow[] {
  const numbers = navigation.flatMap(({ relation }) => (relation?.internal === undefined ? [] : [relation.internal]));
  return [
    column('#id', 'DataTypes.BIGINT', 'string', 'primaryKey: true, autoIncrement: true'),
    column('#version', 'DataTypes.BIGINT', 'string', 'allowNull: false, defaultValue: 1'),
    ...(place?.kind === 'Singleton' ? [column('#one', 'DataTypes.BOOLEAN', 'boolean', 'allowNull: false, defaultValue: true')] : []),
    ...[...parents, ...numbers].map((number) => column(number.column, 'DataTypes.BIGINT', 'string', `allowNull: ${number.nullable}`)),
    ...streams.flatMap(streamColumnRows),
  ];
}

function streamColumnRows({ stream }: StreamNode): readonly ColumnRow[] {
  const { stream: id, type, length, etag } = streamColumns(stream);
  const types = [
    [id, 'UUID'],
    [type, 'TEXT'],
    [length, 'BIGINT'],
    [etag, 'TEXT'],
  ] as const;
  return types.map(([name, dataType]) => column(name, `DataTypes.${dataType}`, 'string'));
}

function fieldColumns({ fields, open }: EntityNode): readonly ColumnRow[] {
  const names = new Set(fields.map(({ name }) => name));
  const shared = fields.find(({ field }) => field.more);
  const rows = fields
    .filter(({ field }) => !field.more)
    .map((node) => {
      const attribute = attributeName(node.name, names);
      const field = attribute === node.column ? '' : `, field: ${printString(node.column)}`;
      return column(attribute, dataType(node), rowType(node), `allowNull: ${node.field.nullable === true}${field}`);
    });
  const others = [...(shared === undefined ? [] : [shared.column]), ...(open ? [openColumn] : [])];
  return [...rows, ...others.map((name) => column(name, 'DataTypes.JSONB', 'object', 'allowNull: false, defaultValue: {}'))];
}

// Sequelize keeps the digits of long numbers by reading them as text.
const rowTypes: { readonly [type: string]: string } = {
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.SByte': 'number',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Single': 'number',
  'Edm.Double': 'number',
  'Edm.DateTimeOffset': 'Date',
  'Edm.Binary': 'Uint8Array',
};

function rowType({ field }: FieldNode): string {
  const { sql } = primitives[field.type];
  if (sql === 'jsonb' || sql === 'point' || field.type === 'Edm.Duration') return 'unknown';
  const single = rowTypes[field.type] ?? 'string';
  if (!field.collection) return single;
  return field.nullableItems ? `(${single} | null)[]` : `${single}[]`;
}

/** Members of a Sequelize instance, which attributes must not replace. */
export const instanceMembers: ReadonlySet<string> = new Set(
  `__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ _initValues _setInclude _setupHooks addHook changed
   constructor decrement destroy equals equalsOneOf get getDataValue hasHook hasHooks hasOwnProperty increment isPrototypeOf
   isSoftDeleted previous propertyIsEnumerable reload removeHook restore runHooks save sequelize set setAttributes setDataValue
   setValidators toJSON toLocaleString toString update validate valueOf where dataValues _previousDataValues uniqno isNewRecord
   _changed _options _customGetters _customSetters _hasCustomGetters _hasCustomSetters _isAttribute rawAttributes validators
   _schema _schemaDelimiter then`.split(/\s+/),
);

function attributeName(name: string, names: ReadonlySet<string>): string {
  if (!instanceMembers.has(name)) return name;
  let safe = `${name}_`;
  while (names.has(safe) || instanceMembers.has(safe)) safe += '_';
  return safe;
}

const plainTypes: { readonly [type: string]: string } = {
  'Edm.Boolean': 'DataTypes.BOOLEAN',
  'Edm.Byte': 'DataTypes.SMALLINT',
  'Edm.SByte': 'DataTypes.SMALLINT',
  'Edm.Int16': 'DataTypes.SMALLINT',
  'Edm.Int32': 'DataTypes.INTEGER',
  'Edm.Int64': 'DataTypes.BIGINT',
  'Edm.Single': 'DataTypes.REAL',
  'Edm.Double': 'DataTypes.DOUBLE',
  'Edm.Date': 'DataTypes.DATEONLY',
  'Edm.TimeOfDay': 'DataTypes.TIME',
  'Edm.Guid': 'DataTypes.UUID',
  'Edm.Binary': 'DataTypes.BLOB',
};

function dataType({ field }: FieldNode): string {
  if (primitives[field.type].sql === 'jsonb') return 'DataTypes.JSONB';
  // Sequelize has neither points nor intervals without an extension, and passes a plain name on.
  if (field.type === 'Edm.Duration') return printString(field.collection ? 'interval[]' : 'interval');
  if (field.type === 'Edm.GeographyPoint' || field.type === 'Edm.GeometryPoint') return printString(field.collection ? 'point[]' : 'point');
  return field.collection ? `DataTypes.ARRAY(${itemType(field)})` : scalarType(field);
}

function itemType(field: Field): string {
  return field.type === 'Edm.String' ? 'DataTypes.TEXT' : scalarType(field);
}

function scalarType({ type, maxLength, precision, scale }: Field): string {
  if (type === 'Edm.String') return maxLength === undefined ? 'DataTypes.TEXT' : `DataTypes.STRING(${maxLength})`;
  if (type === 'Edm.DateTimeOffset') return `DataTypes.DATE(${precision ?? 6})`;
  if (type !== 'Edm.Decimal') return plainTypes[type] ?? 'DataTypes.TEXT';
  return precision === undefined || scale === undefined ? 'DataTypes.DECIMAL' : `DataTypes.DECIMAL(${precision}, ${scale})`;
}
