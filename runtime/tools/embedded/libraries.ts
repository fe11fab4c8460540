import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canUse, type Account } from './account.js';
import { program, type Binaries } from './binaries.js';

/**
 * Binaries that the account can run, with the links of their libraries: the package itself, or a copy under `place`.
 */
export function runnableBinaries(binaries: Binaries, account: Account | undefined, place: string): Binaries {
  if (binaries.packaged === undefined) return binaries;
  const usable = linkLibraries(binaries.root) && canUse(account, program(binaries, 'postgres'));
  return usable ? binaries : { ...binaries, root: copyOf(binaries.root, join(place, `native-${binaries.packaged}`)) };
}

interface Link {
  readonly path: string;
  readonly target: string;
}

// npm packages cannot contain links. The package creates them in a postinstall script, which npm 12 and
// --ignore-scripts skip, and its list has missed some, so missing ones are created here.
function linkLibraries(root: string): boolean {
  const missing = [...listedLinks(root), ...soNameLinks(root)].filter((link) => !isPresent(link.path));
  try {
    missing.forEach(makeLink);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

// Another process may create the same link at the same time.
function makeLink(link: Link): void {
  try {
    symlinkSync(link.target, link.path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function listedLinks(root: string): readonly Link[] {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const rows = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  return rows.map((row) => ({ path: join(dirname(root), row.target), target: basename(row.source) }));
}

// A library is loaded by its name with the major version only: libX.so.60.2 as libX.so.60, libX.77.1.dylib as
// libX.77.dylib.
function soNameLinks(root: string): readonly Link[] {
  const lib = join(root, 'lib');
  if (process.platform === 'win32' || !existsSync(lib)) return [];
  return readdirSync(lib).flatMap((target) => {
    const [, stem, suffix] = /^(.+\.so\.\d+)(?:\.\d+)+()$/.exec(target) ?? /^(.+?\.\d+)(?:\.\d+)+(\.dylib)$/.exec(target) ?? [];
    return stem === undefined ? [] : [{ path: join(lib, stem + (suffix ?? '')), target }];
  });
}

function isPresent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

// The copy is renamed into place when complete, so that an interrupted start leaves nothing that looks usable.
function copyOf(root: string, copy: string): string {
  if (existsSync(copy)) return join(copy, 'native');
  const draft = mkdtempSync(`${copy}.`);
  chmodSync(draft, 0o755);
  cpSync(root, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  if (!linkLibraries(join(draft, 'native'))) throw new Error(`Links cannot be created in ${draft}.`);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return join(copy, 'native');
}
