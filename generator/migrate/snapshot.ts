import { withCode } from '../../runtime/errors/migration-codes.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';

/** The path of the schema after all migrations. */
export const snapshotPath = 'migrations/schema.json';

/** The version of the snapshot's format. */
const format = 4;

/** The migrations, and the schema after them. */
export interface Snapshot {
  readonly migrations: readonly string[];
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

  constructor(message: string) {
    super(withCode('folder', message));
  }
}

/** Prints the snapshot with one line per column, so that a merge shows changes. */
export function printSnapshot({ migrations, schema, released }: Snapshot): string {
  const lines = [
    '{',
    `  "format": ${format},`,
    '  "comment": "Written by `gable generate`: the schema after all migrations of this folder.",',
    `  "migrations": ${JSON.stringify(migrations)},`,
    `  "schema": ${printSchemaJson(schema, '  ')}${released === undefined ? '' : ','}`,
    ...(released === undefined
      ? []
      : [
          `  "released": {`,
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
    const { migrations, schema, released, ...written } = JSON.parse(text) as Partial<Snapshot> & { readonly format?: number };
    if (written.format !== format)
      throw new SyntaxError(`its format is ${written.format ?? 'missing'}, and this version of gable reads ${format}`);
    if (migrations === undefined || schema === undefined) throw new SyntaxError('it has no schema');
    return { migrations, schema, released };
  } catch (error) {
    throw new MigrationFolderError(
      `${snapshotPath} is invalid: ${(error as Error).message}. After a merge, take one side of generated/migrations entirely, and generate again.`,
    );
  }
}

function printSchemaJson({ extensions, tables }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const list = tables.map((table) => `${inner}  ${printTableJson(table, `${inner}  `)}`).join(',\n');
  return `{\n${inner}"extensions": ${JSON.stringify(extensions)},\n${inner}"tables": [${list === '' ? '' : `\n${list}\n${inner}`}]\n${indent}}`;
}

function printTableJson(table: Table, indent: string): string {
  const { name, place, declaredFrom, partitionRows, distribution, columns, constraints, indexes } = table;
  const inner = `${indent}  `;
  const rows = (title: string, items: readonly object[]): string =>
    `${inner}"${title}": [${items.map((item) => `\n${inner}  ${JSON.stringify(item)}`).join(',')}${items.length === 0 ? '' : `\n${inner}`}]`;
  const member = (title: string, value: unknown): string => (value === undefined ? '' : `${inner}"${title}": ${JSON.stringify(value)},\n`);
  return `{\n${member('name', name)}${member('place', place)}${member('declaredFrom', declaredFrom)}${member('partitionRows', partitionRows)}${member('distribution', distribution)}${[
    rows('columns', columns),
    rows('constraints', constraints),
    rows('indexes', indexes),
  ].join(',\n')}\n${indent}}`;
}
