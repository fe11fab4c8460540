import type { DataTypes, Model, ModelStatic, Sequelize } from 'sequelize';
import type { Field, FieldTable } from '../edm/field.js';
import type { instanceMembers } from './instance-members.js';

// The parts of Sequelize that code of projects imports: the instance that this package runs with.
export { DataTypes, Op } from 'sequelize';
export type { Sequelize } from 'sequelize';

/** Defines a model with an instance of Sequelize, which is loaded when a model is first used. */
export type ModelDefinition = (sequelize: Sequelize, types: typeof DataTypes) => void;

/** The Sequelize model of a table, from the field tables of its root type and, in an intersection, of the derived types. */
export type TableModel<Fields extends FieldTable, Derived extends FieldTable = Fields> = ModelStatic<
  TableRow<Row<Fields> & Optional<Row<Omit<Derived, keyof Fields>>>>
>;

/** An instance of a table's model, whose members are the row's columns. */
export type TableRow<Columns extends object> = Model<Columns, Partial<Columns>> & Columns;

/** A row as Sequelize reads it; internal columns have names that begin with `#`. */
export type Row<Fields extends FieldTable> = { '#id': string; '#version': string; [internal: `#${string}`]: unknown } & {
  -readonly [Name in keyof Fields & string as Fields[Name] extends { more: true } ? never : Attribute<Name>]: Value<Fields[Name]>;
};

// Rows of other types of the table have no value.
type Optional<Columns> = { [Name in keyof Columns]: Columns[Name] | null };

type Attribute<Name extends string> = Name extends (typeof instanceMembers)[number] ? `${Name}_` : Name;

type Value<Facts extends Field> = Facts extends { collection: true }
  ? (Single<Facts> | (Facts extends { nullableItems: true } ? null : never))[]
  : Single<Facts> | (Facts extends { nullable: true } ? null : never);

type Single<Facts extends Field> = Facts['type'] extends `Edm.Geo${string}` | 'Edm.Duration' | 'Edm.Untyped' | 'Edm.ComplexType'
  ? unknown
  : Facts['type'] extends keyof Values
    ? Values[Facts['type']]
    : string;

// All other types are read as text, which keeps the digits of long numbers.
interface Values extends Record<'Edm.Byte' | 'Edm.SByte' | 'Edm.Int16' | 'Edm.Int32' | 'Edm.Single' | 'Edm.Double', number> {
  'Edm.Boolean': boolean;
  'Edm.DateTimeOffset': Date;
  'Edm.Binary': Uint8Array;
}
