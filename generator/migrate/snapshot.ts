import type { Column, Schema, Table } from '../../runtime/schema/schema.js';

/** Where the schema is kept that the migrations lead to. */
export const snapshotPath = 'migrations/schema.json';

/** How much a schema of today tells; one that says another number was written by another gable: before 2 complex values had no facets, before 3 the items of their collections of strings had none, and before 4 those of a record's own collections. */
const format = 4;

/** The migrations that were made, and what they lead to. */
export interface Snapshot {
  readonly migrations: readonly string[];
  /** The model was generated from without the migration that it needs, so that what it says is not what they lead to. */
  readonly waiting?: boolean | undefined;
  /** Where it was written by a gable that told less, the columns of which it does not tell all say so. */
  readonly schema: Schema;
  /** What was given to others; a squash leaves it alone. */
  readonly released: Released | undefined;
}

interface Released {
  readonly migrations: readonly string[];
  readonly schema: Schema;
}

/** A folder of migrations that cannot be gone on from. */
export class MigrationFolderError extends Error {
  override readonly name = 'MigrationFolderError';
  readonly exitCode = 2;
}

/** The snapshot as text, a line a column, so that a merge shows what was changed. */
export function printSnapshot({ migrations, schema, released, waiting }: Snapshot): string {
  const lines = [
    '{',
    `  "format": ${formatOf(schema)},`,
    '  "comment": "Written by `gable generate`: the schema that the migrations beside it lead to.",',
    `  "migrations": ${JSON.stringify(migrations)},`,
    ...(waiting ? ['  "waiting": true,'] : []),
    `  "schema": ${printSchemaJson(schema, '  ')}${released === undefined ? '' : ','}`,
    ...(released === undefined
      ? []
      : [
          `  "released": {`,
          `    "format": ${formatOf(released.schema)},`,
          `    "migrations": ${JSON.stringify(released.migrations)},`,
          `    "schema": ${printSchemaJson(released.schema, '    ')}`,
          '  }',
        ]),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** Reads a snapshot back. */
export function parseSnapshot(text: string): Snapshot {
  try {
    const { migrations, schema, released, waiting, ...written } = JSON.parse(text) as Partial<WrittenSnapshot>;
    if (migrations === undefined || schema === undefined) throw new SyntaxError('it has no schema');
    return {
      migrations,
      schema: asTold(schema, written),
      waiting,
      released: released && { migrations: released.migrations, schema: asTold(released.schema, released) },
    };
  } catch (error) {
    throw new MigrationFolderError(
      `${snapshotPath} cannot be read: ${(error as Error).message}. After a merge, take one side of generated/migrations whole, and generate again.`,
    );
  }
}

interface Written {
  readonly format?: number;
}

interface WrittenSnapshot extends Omit<Snapshot, 'released'>, Written {
  readonly released: (Released & Written) | undefined;
}

// Which of the columns with JSON hold complex values only the wanted schema knows.
function asTold(schema: Schema, { format: written = 1 }: Written): Schema {
  const isUntoldColumn = (column: Column): boolean =>
    column.type === 'jsonb' ? written < 3 && (written !== 2 || hasUntoldItems(column)) : column.type === 'text[]';
  const untold = (column: Column): Column => ({
    ...column,
    ...(isUntoldColumn(column) && { untold: written }),
    ...(column.holds && { holds: column.holds.map(untold) }),
  });
  return written === format
    ? schema
    : { ...schema, tables: schema.tables.map((table) => ({ ...table, columns: table.columns.map(untold) })) };
}

// A type that is told by its hash may have such collections within.
function hasUntoldItems({ within = [] }: Column): boolean {
  return within.some(({ type }) => type === 'Collection(Edm.String)' || type.includes('Edm.ComplexType '));
}

function isUntold(schema: Schema): boolean {
  return formatOf(schema) !== format;
}

// Nothing of it is told by now but what was told then.
function formatOf({ tables }: Schema): number {
  return (
    tables
      .flatMap(({ columns }) => columns.flatMap((column) => [column, ...(column.holds ?? [])]))
      .find(({ untold }) => untold !== undefined)?.untold ?? format
  );
}

/** A schema that told less, completed by that of the same model. */
export function retold(schema: Schema, whole: Schema): Schema {
  return isUntold(schema)
    ? {
        ...schema,
        tables: schema.tables.map((table) => ({
          ...table,
          columns: retoldColumns(table.columns, whole.tables.find(({ name }) => name === table.name)?.columns ?? []),
        })),
      }
    : schema;
}

function retoldColumns(columns: readonly Column[], whole: readonly Column[]): readonly Column[] {
  return columns.map(({ untold: _untold, ...column }) => {
    const { within, items, holds } = whole.find(({ name }) => name === column.name) ?? {};
    return {
      ...column,
      ...(items && { items }),
      ...(within && { within }),
      ...(column.holds && { holds: retoldColumns(column.holds, holds ?? []) }),
    };
  });
}

function printSchemaJson({ extensions, tables }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const list = tables.map((table) => `${inner}  ${printTableJson(table, `${inner}  `)}`).join(',\n');
  return `{\n${inner}"extensions": ${JSON.stringify(extensions)},\n${inner}"tables": [${list === '' ? '' : `\n${list}\n${inner}`}]\n${indent}}`;
}

function printTableJson({ name, place, columns, constraints, indexes }: Table, indent: string): string {
  const inner = `${indent}  `;
  const rows = (title: string, items: readonly object[]): string =>
    `${inner}"${title}": [${items.map((item) => `\n${inner}  ${JSON.stringify(item)}`).join(',')}${items.length === 0 ? '' : `\n${inner}`}]`;
  return `{\n${inner}"name": ${JSON.stringify(name)},\n${place === undefined ? '' : `${inner}"place": ${JSON.stringify(place)},\n`}${[
    rows(
      'columns',
      columns.map(({ untold: _untold, ...column }) => column),
    ),
    rows('constraints', constraints),
    rows('indexes', indexes),
  ].join(',\n')}\n${indent}}`;
}
