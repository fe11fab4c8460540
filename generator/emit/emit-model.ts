import { StructureKind } from 'ts-morph';
import { openColumn, primitives, streamColumns, type Field } from '../../runtime/edm/index.js';
import type { EntityNode, FieldNode, StreamNode } from '../graph/model-graph.js';
import { printKey, printString } from './print-literal.js';
import { mapper, typeImport, valueImport, type Emitted } from './structures.js';

/** The Sequelize definition, with the internal columns. */
export function emitModel(entity: EntityNode): Emitted {
  const { typeName, name, table } = entity;
  const rows = [...internalRows(entity), ...fieldRows(entity)].map((row) => `    ${row},\n`).join('');
  const options = `{ tableName: ${printString(table)}, timestamps: false, freezeTableName: true }`;
  return {
    statements: [
      valueImport(mapper, 'DataTypes'),
      typeImport(mapper, 'Model', 'ModelStatic', 'Sequelize'),
      {
        kind: StructureKind.Function,
        isExported: true,
        name: `define${typeName}Model`,
        parameters: [{ name: 'sequelize', type: 'Sequelize' }],
        returnType: 'ModelStatic<Model>',
        docs: [`The table of ${name}, as the migrations create it.`],
        statements: [`return sequelize.define(${printString(name)}, {\n${rows.replace(/^ {2}/gm, '')}}, ${options});`],
      },
    ],
  };
}

function internalRows({ navigation, parents, place, streams }: EntityNode): readonly string[] {
  const numbers = navigation.flatMap(({ relation }) => (relation?.internal === undefined ? [] : [relation.internal]));
  return [
    "'#id': { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true }",
    "'#version': { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 }",
    ...(place?.kind === 'Singleton' ? ["'#one': { type: DataTypes.BOOLEAN, allowNull: false, defaultValue: true }"] : []),
    ...[...parents, ...numbers].map(({ column, nullable }) => `${printKey(column)}: { type: DataTypes.BIGINT, allowNull: ${nullable} }`),
    ...streams.flatMap(streamRows),
  ];
}

function streamRows({ stream }: StreamNode): readonly string[] {
  const { stream: id, type, length, etag } = streamColumns(stream);
  const types = [
    [id, 'UUID'],
    [type, 'TEXT'],
    [length, 'BIGINT'],
    [etag, 'TEXT'],
  ] as const;
  return types.map(([column, dataType]) => `${printKey(column)}: { type: DataTypes.${dataType}, allowNull: true }`);
}

function fieldRows({ fields, open }: EntityNode): readonly string[] {
  const names = new Set(fields.map(({ name }) => name));
  const shared = fields.find(({ field }) => field.more);
  const rows = fields
    .filter(({ field }) => !field.more)
    .map((node) => {
      const attribute = attributeName(node.name, names);
      const field = attribute === node.column ? '' : `, field: ${printString(node.column)}`;
      return `${printKey(attribute)}: { type: ${dataType(node)}, allowNull: ${node.field.nullable === true}${field} }`;
    });
  const others = [...(shared === undefined ? [] : [shared.column]), ...(open ? [openColumn] : [])];
  return [...rows, ...others.map((column) => `${printKey(column)}: { type: DataTypes.JSONB, allowNull: false, defaultValue: {} }`)];
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
