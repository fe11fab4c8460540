import { quote } from '../../runtime/schema/identifier.js';
import type { Constraint, Schema, Table } from '../../runtime/schema/schema.js';

/** Renames tables throughout a schema. */
export function withTableNames(schema: Schema, names: ReadonlyMap<string, string>): Schema {
  return mapNames(schema, { table: (name) => names.get(name) ?? name, column: (_table, name) => name });
}

/** Renames columns throughout a schema; keys of `names` are `table/column`. */
export function withColumnNames(schema: Schema, names: ReadonlyMap<string, string>): Schema {
  return mapNames(schema, { table: (name) => name, column: (table, name) => names.get(`${table}/${name}`) ?? name });
}

/** The new names of tables, and of columns by their table. */
interface NewNames {
  readonly table: (name: string) => string;
  readonly column: (table: string, name: string) => string;
}

function mapNames(schema: Schema, names: NewNames): Schema {
  return { ...schema, tables: schema.tables.map((table) => mapTable(table, names)) };
}

function mapTable(table: Table, names: NewNames): Table {
  const own = (column: string): string => names.column(table.name, column);
  const sql = (text: string): string => text.replace(/"((?:[^"]|"")*)"/g, (_all, name: string) => quote(own(name.replace(/""/g, '"'))));
  const { distribution: given } = table;
  const distribution =
    given === undefined || given === 'copied'
      ? given
      : { ...given, column: own(given.column), ...(given.along !== undefined && { along: names.table(given.along) }) };
  return {
    ...table,
    name: names.table(table.name),
    ...(distribution !== undefined && { distribution }),
    columns: table.columns.map((column) => ({
      ...column,
      name: own(column.name),
      ...(column.generated !== undefined && { generated: sql(column.generated) }),
    })),
    constraints: table.constraints.map((constraint) => mapConstraint(constraint, own, sql, names)),
    indexes: table.indexes.map((index) => ({
      ...index,
      terms: index.terms.map(sql),
      ...(index.where !== undefined && { where: sql(index.where) }),
    })),
  };
}

function mapConstraint(
  constraint: Constraint,
  own: (column: string) => string,
  sql: (text: string) => string,
  names: NewNames,
): Constraint {
  switch (constraint.kind) {
    case 'check':
      return { ...constraint, expression: sql(constraint.expression) };
    case 'foreign key': {
      const { principal, principalColumns } = constraint;
      return {
        ...constraint,
        columns: constraint.columns.map(own),
        principal: names.table(principal),
        principalColumns: principalColumns.map((column) => names.column(principal, column)),
      };
    }
    case 'primary key':
    case 'unique':
      return { ...constraint, columns: constraint.columns.map(own) };
  }
}
