import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Creates a folder with those above it, one at a time: the recursive call of Node never returns where /proc accepts none. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(resolve(path)));
  try {
    mkdirSync(path);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new FolderError(`${path} cannot be created: its file system accepts no folders there. Name another folder.`);
    // Another process may have created it.
    if (code !== 'EEXIST') throw failure;
  }
}

/** The error for a place where no folder can be. */
class FolderError extends Error {
  override readonly name = 'FolderError';
  readonly exitCode = 2;
}
