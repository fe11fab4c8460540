import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the package is installed. Compiled code runs from `dist`. */
export const packageRoot = fileURLToPath(
  new URL(existsSync(new URL('../package.json', import.meta.url)) ? '../' : '../../', import.meta.url),
);

/** The package's own `generated/`: documents that are served or run, not compiled. */
export const generatedFolder = join(packageRoot, 'generated');

/** A file of the package's own `generated/`. */
export function generatedFile(name: string): string {
  return join(generatedFolder, name);
}

/** The vocabularies that were generated beside `metadata.xml`. */
export function vocabularyNames(generated: string): readonly string[] {
  return readdirSync(generated).filter((name) => name.endsWith('.xml') && name !== 'metadata.xml');
}

/** The folder of migrations; the package's own when none is named. */
export function migrationsFolder(generated: string = generatedFolder): string {
  return join(generated, 'migrations');
}
