import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suggestion } from '../../runtime/errors/suggest.js';

/** The message for a missing file, with the nearest name in its folder. */
export function missingFile(path: string): string {
  return `There is no file ${path}.${nearest(path)}`;
}

function nearest(path: string): string {
  const folder = dirname(path);
  try {
    return suggestion(basename(path), readdirSync(folder)).replace(/(?<=mean ).*(?=\?$)/, (name) => join(folder, name));
  } catch {
    // The folder is missing or not readable, so there is no name to suggest.
    return '';
  }
}
