import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suggestion } from '../../runtime/errors/suggest.js';

/** What a command says of a file that is not there, with the nearest name in its folder. */
export function missingFile(path: string): string {
  return `There is no file ${path}.${nearest(path)}`;
}

function nearest(path: string): string {
  const folder = dirname(path);
  try {
    return suggestion(basename(path), readdirSync(folder)).replace(/(?<=mean ).*(?=\?$)/, (name) => join(folder, name));
  } catch {
    // The folder is not there, or not ours to read: then no name of it is known.
    return '';
  }
}
