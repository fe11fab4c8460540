import { quote } from '../../runtime/schema/identifier.js';
import type { Constraint, Schema, Table } from '../../runtime/schema/schema.js';

/** Renames tables throughout a schema. */
export function withTableNames(schema: Schema, names: ReadonlyMap<string, string>): Schema {
  return mapNames(
    schema,
    (table) => names.get(table) ?? table,
    (_table, column) => column,
  );
}

/** Renames columns throughout a schema; keys of `names` are `table/column`. */
export function withColumnNames(schema: Schema, names: ReadonlyMap<string, string>): Schema {
  return mapNames(
    schema,
    (table) => table,
    (table, column) => names.get(`${table}/${column}`) ?? column,
  );
}

function mapNames(schema: Schema, tableName: (name: string) => string, columnName: (table: string, column: string) => string): Schema {
  return { ...schema, tables: schema.tables.map((table) => mapTable(table, tableName, columnName)) };
}

function mapTable(table: Table, tableName: (name: string) => string, columnName: (table: string, column: string) => string): Table {
  const own = (column: string): string => columnName(table.name, column);
  const sql = (text: string): string => text.replace(/"((?:[^"]|"")*)"/g, (_all, name: string) => quote(own(name.replace(/""/g, '"'))));
  const { distribution: given } = table;
  const distribution =
    given === undefined || given === 'copied'
      ? given
      : { ...given, column: own(given.column), ...(given.along !== undefined && { along: tableName(given.along) }) };
  return {
    ...table,
    name: tableName(table.name),
    ...(distribution !== undefined && { distribution }),
    columns: table.columns.map((column) => ({
      ...column,
      name: own(column.name),
      ...(column.generated !== undefined && { generated: sql(column.generated) }),
    })),
    constraints: table.constraints.map((constraint) => mapConstraint(constraint, own, sql, tableName, columnName)),
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
  tableName: (name: string) => string,
  columnName: (table: string, column: string) => string,
): Constraint {
  switch (constraint.kind) {
    case 'check':
      return { ...constraint, expression: sql(constraint.expression) };
    case 'foreign key': {
      const { principal, principalColumns } = constraint;
      return {
        ...constraint,
        columns: constraint.columns.map(own),
        principal: tableName(principal),
        principalColumns: principalColumns.map((column) => columnName(principal, column)),
      };
    }
    case 'primary key':
    case 'unique':
      return { ...constraint, columns: constraint.columns.map(own) };
  }
}
