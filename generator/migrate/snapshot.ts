import { createHash } from 'node:crypto';
import { withCode } from '../../runtime/errors/migration-codes.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { UsageError } from '../config/config.js';

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
export function folderFault(message: string): UsageError {
  return new UsageError(withCode('folder', message));
}

/**
 * Prints the snapshot with one line per column, so that a merge shows changes. The digest is on a line that every
 * migration changes: two snapshots never merge without a conflict.
 */
export function printSnapshot(snapshot: Snapshot): string {
  const { migrations, schema, released } = snapshot;
  const lines = (digest: string): readonly string[] => [
    '{',
    `  "format": ${format},`,
    '  "comment": "Written by `gable generate`: the schema after all migrations of this folder.",',
    `  "migrations": ${JSON.stringify(migrations)}, "digest": "${digest}",`,
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
  const text = (digest: string): string => `${lines(digest).join('\n')}\n`;
  return text(digestOf(JSON.parse(text('')) as Snapshot));
}

// Of the values in their printed order, whatever the space between them.
function digestOf({ migrations, schema, released }: Partial<Snapshot>): string {
  return createHash('sha256')
    .update(JSON.stringify([migrations, schema, released]))
    .digest('hex')
    .slice(0, 16);
}

interface Written {
  readonly format?: number;
  readonly digest?: string;
}

/** Parses a snapshot. */
export function parseSnapshot(text: string): Snapshot {
  try {
    const { migrations, schema, released, ...written } = JSON.parse(text) as Partial<Snapshot> & Written;
    if (written.format !== format)
      throw new SyntaxError(`its format is ${written.format ?? 'missing'}, and this version of gable reads ${format}`);
    if (migrations === undefined || schema === undefined) throw new SyntaxError('it has no schema');
    // Snapshots of earlier versions have no digest.
    if (written.digest !== undefined && written.digest !== digestOf({ migrations, schema, released }))
      throw new SyntaxError('it is not as gable generate wrote it');
    return { migrations, schema, released };
  } catch (error) {
    throw folderFault(
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
  const { name, place, ends, declaredFrom, partitionRows, distribution, columns, constraints, indexes } = table;
  const inner = `${indent}  `;
  const rows = (title: string, items: readonly object[]): string =>
    `${inner}"${title}": [${items.map((item) => `\n${inner}  ${JSON.stringify(item)}`).join(',')}${items.length === 0 ? '' : `\n${inner}`}]`;
  const member = (title: string, value: unknown): string => (value === undefined ? '' : `${inner}"${title}": ${JSON.stringify(value)},\n`);
  return `{\n${member('name', name)}${member('place', place)}${member('ends', ends)}${member('declaredFrom', declaredFrom)}${member('partitionRows', partitionRows)}${member('distribution', distribution)}${[
    rows('columns', columns),
    rows('constraints', constraints),
    rows('indexes', indexes),
  ].join(',\n')}\n${indent}}`;
}
