import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { give, type Account } from './account.js';
import { program, type Binaries } from './binaries.js';
import { userName } from './credentials.js';
import type { Place } from './place.js';

/** The major version that made the data, or nothing when there is no data yet. */
export function dataMajor(dataDirectory: string): number | undefined {
  const file = join(dataDirectory, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

/** Makes an empty cluster; it gets its name when it is whole, so that a start killed half-way can be repeated. */
export function createCluster(binaries: Binaries, place: Place, options: { readonly password: string; readonly durable: boolean }): void {
  removeDrafts(place.dataDirectory);
  const draft = `${place.dataDirectory}.new`;
  const passwordFile = `${draft}.password`;
  mkdirSync(draft);
  chmodSync(draft, 0o700);
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  [draft, passwordFile].forEach((path) => give(place.account, path));
  try {
    runInitdb(binaries, place.account, initdbArguments(binaries, draft, passwordFile, options.durable));
  } finally {
    rmSync(passwordFile);
  }
  renameSync(draft, place.dataDirectory);
}

function initdbArguments(binaries: Binaries, directory: string, passwordFile: string, durable: boolean): readonly string[] {
  const shared = ['-D', directory, '-U', userName, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  return [...shared, ...localeArguments(binaries.major), ...(durable ? [] : ['--no-sync'])];
}

// The builtin provider came with 17. It sorts by code point on every system, where libc's order depends on the machine.
function localeArguments(major: number): readonly string[] {
  if (major < 17) return ['--locale=C.UTF-8'];
  if (process.platform === 'linux') return ['--locale-provider=builtin', '--locale=C.UTF-8'];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

function runInitdb(binaries: Binaries, account: Account | undefined, options: readonly string[]): void {
  const run = spawnSync(program(binaries, 'initdb'), options, { ...account, cwd: '/', encoding: 'utf8', windowsHide: true });
  if (run.status === 0) return;
  throw new Error(`The embedded database could not be made: ${(run.stderr ?? '').trim() || run.error?.message}`);
}

function removeDrafts(dataDirectory: string): void {
  const folder = dirname(dataDirectory);
  const drafts = readdirSync(folder).filter((name) => name.startsWith(`${basename(dataDirectory)}.new`));
  drafts.forEach((name) => rmSync(join(folder, name), { recursive: true }));
}
