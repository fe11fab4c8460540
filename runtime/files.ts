import { readdirSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Compiled code runs from `dist`, and generated documents are read from where the generator wrote them.
const packageRoot = new URL(existsSync(new URL('../package.json', import.meta.url)) ? '../' : '../../', import.meta.url);

/** A file of `generated/` that is served or run, not compiled. */
export function generatedFile(name: string): string {
  return fileURLToPath(new URL(`generated/${name}`, packageRoot));
}

/** The vocabularies that were generated beside `metadata.xml`. */
export function vocabularyNames(): readonly string[] {
  return readdirSync(generatedFile('')).filter((name) => name.endsWith('.xml') && name !== 'metadata.xml');
}

/** The folder of migrations. */
export function migrationsFolder(): string {
  return generatedFile('migrations');
}
