import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

class FolderError extends Error {
  override readonly name = 'FolderError';
  /** The exit code: bad input. */
  readonly exitCode = 2;
}

/**
 * Creates a folder with those above it, one at a time: the recursive call of Node never returns where /proc accepts none.
 * Throws a FolderError where none can be.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new FolderError(`${path} is a file: no folder can be created there. Name another folder.`);
    return;
  }
  makeFolder(dirname(resolve(path)));
  try {
    mkdirSync(path);
  } catch (failure) {
    const code = (failure as NodeJS.ErrnoException).code ?? '';
    // Another process may have created it.
    if (code === 'EEXIST') return makeFolder(path);
    throw code in reasons ? new FolderError(`${path} cannot be created: ${reasons[code]}. Name another folder.`) : failure;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  ENOENT: 'its file system accepts no folders there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
};
