import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../output/output-tree.js';
import { withLineFeeds } from '../output/header.js';
import type { MigrationTexts } from './plan-migrations.js';
import { snapshotPath } from './snapshot.js';

/** The migration files of an output; files with other names are the user's. */
export function readMigrations(output: string): MigrationTexts {
  if (!existsSync(join(output, 'migrations'))) return new Map();
  const paths = listFiles(output, 'migrations').filter((path) => path === snapshotPath || /^migrations\/\d{4}-[\w-]+\.sql$/.test(path));
  return new Map(paths.map((path) => [path, withLineFeeds(readFileSync(join(output, path), 'utf8'))]));
}
