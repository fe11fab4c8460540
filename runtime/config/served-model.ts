import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EntityContainer, Extensions, OperationHandlers } from '../edm/index.js';

/** A model to serve: generated code with hand-written extensions. */
export interface ServedModel {
  readonly container: EntityContainer;
  readonly extensions: Extensions;
  /** The handlers of its operations; a missing one is answered 501. */
  readonly operations?: OperationHandlers;
  /** The folder of generated documents, including `$metadata` and migrations. */
  readonly generated: string;
  /** The folder of its compiled code and pages, if it has pages. */
  readonly built?: string;
}

/** The folder of the package. Compiled code runs from `dist`. */
export const packageRoot = fileURLToPath(
  new URL(existsSync(new URL('../../package.json', import.meta.url)) ? '../../' : '../../../', import.meta.url),
);

/** The package's own `generated/`: documents that are served or run without compilation. */
export const generatedFolder = join(packageRoot, 'generated');

/** The package's own `dist/`. */
export const builtFolder = join(packageRoot, 'dist');

/** The names of the vocabularies next to `metadata.xml`. */
export function vocabularyNames(generated: string): readonly string[] {
  return readdirSync(generated).filter((name) => name.endsWith('.xml') && name !== 'metadata.xml');
}

/** The folder of migrations, by default the package's own. */
export function migrationsFolder(generated: string = generatedFolder): string {
  return join(generated, 'migrations');
}

/** The texts of a model's migrations; none of a model without tracked sets, whose delta links alone depend on them. */
export function readMigrationTexts({ container, generated }: ServedModel): readonly string[] {
  if (Object.values(container.entityTypes).every(({ tracking }) => tracking === undefined)) return [];
  const folder = migrationsFolder(generated);
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  // Git may convert line ends on Windows.
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'));
}
