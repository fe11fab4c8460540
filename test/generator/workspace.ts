import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of all cases. */
export const cases = fileURLToPath(new URL('../../../test/generator/cases/', import.meta.url));

/** A folder with a good model in its usual place, removed afterwards. */
export function workspace(t: { teardown: (fn: () => void) => void }, name = 'composite-and-aliases'): string {
  const folder = mkdtempSync(join(tmpdir(), 'gable-generator-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'model'));
  cpSync(join(cases, name, 'model.xml'), join(folder, 'model', 'metadata.xml'));
  return folder;
}

/** The files of a folder with their content. */
export function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path}\n${readFileSync(path, 'utf8')}`);
}
