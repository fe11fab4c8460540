import type { FieldTable } from '../../runtime/edm/field.js';

/** How the columns of a table are selected: plain, or ready to become JSON within PostgreSQL. */
export type Columns = (alias: string, fields: FieldTable, names?: readonly string[]) => string;

/** The columns as they are; their cells become JSON in the floor's process (F2). */
export const plainColumns: Columns = (alias, fields, names = Object.keys(fields)) => names.map((name) => `${alias}."${name}"`).join(', ');

/** The columns in the form that JSON needs, for row_to_json (F1). */
export const jsonColumns: Columns = (alias, fields, names = Object.keys(fields)) =>
  names.map((name) => `${jsonColumn(`${alias}."${name}"`, fields[name]?.type)} as "${name}"`).join(', ');

function jsonColumn(column: string, type: string | undefined): string {
  switch (type) {
    case 'Edm.DateTimeOffset':
      return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
    case 'Edm.GeographyPoint':
      return `case when ${column} is not null then json_build_object('type', 'Point', 'coordinates', json_build_array(${column}[0], ${column}[1])) end`;
    default:
      return column;
  }
}
