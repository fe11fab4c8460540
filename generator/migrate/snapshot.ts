import type { Column, Schema, Table } from '../../runtime/schema/schema.js';

/** The path of the schema after all migrations. */
export const snapshotPath = 'migrations/schema.json';

/**
 * The version of the snapshot's format: before 2 complex values had no facets, before 3 items of their text collections
 * had none, and before 4 those of an entity's own collections.
 */
const format = 4;

/** The migrations, and the schema after them. */
export interface Snapshot {
  readonly migrations: readonly string[];
  /** The model was generated without a migration that it needs, so the schema is not the model's. */
  readonly waiting?: boolean | undefined;
  /** Columns whose description an older generator left incomplete are marked. */
  readonly schema: Schema;
  /** The released migrations, which a squash does not touch. */
  readonly released: Released | undefined;
}

interface Released {
  readonly migrations: readonly string[];
  readonly schema: Schema;
}

/** The error for an inconsistent folder of migrations. */
export class MigrationFolderError extends Error {
  override readonly name = 'MigrationFolderError';
  readonly exitCode = 2;
}

/** Prints the snapshot with one line per column, so that a merge shows changes. */
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

/** Parses a snapshot. */
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

// Only the wanted schema knows which JSON columns hold complex values.
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

// A type described by its hash may have such collections within.
function hasUntoldItems({ within = [] }: Column): boolean {
  return within.some(({ type }) => type === 'Collection(Edm.String)' || type.includes('Edm.ComplexType '));
}

function isUntold(schema: Schema): boolean {
  return formatOf(schema) !== format;
}

// The snapshot describes no more than its format did.
function formatOf({ tables }: Schema): number {
  return (
    tables
      .flatMap(({ columns }) => columns.flatMap((column) => [column, ...(column.holds ?? [])]))
      .find(({ untold }) => untold !== undefined)?.untold ?? format
  );
}

/** An incomplete schema, completed from that of the same model. */
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
