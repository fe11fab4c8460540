import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { give, type Account } from './account.js';
import { program, type Binaries } from './binaries.js';
import { userName } from './credentials.js';
import type { Place } from './place.js';

/** The major version of existing data; undefined without data. */
export function dataMajor(dataDirectory: string): number | undefined {
  const file = join(dataDirectory, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

/** Creates an empty cluster; it is renamed into place when complete, so that an interrupted start can be repeated. */
export async function createCluster(
  binaries: Binaries,
  place: Place,
  options: { readonly password: string; readonly durable: boolean },
): Promise<void> {
  removeDrafts(place.dataDirectory);
  const draft = `${place.dataDirectory}.new`;
  const passwordFile = `${draft}.password`;
  mkdirSync(draft);
  chmodSync(draft, 0o700);
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  [draft, passwordFile].forEach((path) => give(place.account, path));
  try {
    await runInitdb(binaries, place.account, initdbArguments(binaries, draft, passwordFile, options.durable));
  } finally {
    rmSync(passwordFile);
  }
  renameSync(draft, place.dataDirectory);
}

function initdbArguments(binaries: Binaries, directory: string, passwordFile: string, durable: boolean): readonly string[] {
  const shared = ['-D', directory, '-U', userName, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  return [...shared, ...localeArguments(binaries.major), ...(durable ? [] : ['--no-sync'])];
}

// The builtin provider, new in version 17, sorts by code point on every system, where libc's order depends on the
// machine.
function localeArguments(major: number): readonly string[] {
  if (major < 17) return ['--locale=C.UTF-8'];
  if (process.platform === 'linux') return ['--locale-provider=builtin', '--locale=C.UTF-8'];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

// Asynchronous, because other processes may connect meanwhile.
async function runInitdb(binaries: Binaries, account: Account | undefined, options: readonly string[]): Promise<void> {
  const run = spawn(program(binaries, 'initdb'), options, { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  const said = text(run.stderr);
  const reason = await once(run, 'close').then(
    async ([status]: unknown[]) => (status === 0 ? undefined : (await said).trim()),
    (failure: unknown) => (failure instanceof Error ? failure.message : String(failure)),
  );
  if (reason !== undefined) throw new Error(`The embedded database could not be created: ${reason}`);
}

function removeDrafts(dataDirectory: string): void {
  const folder = dirname(dataDirectory);
  const drafts = readdirSync(folder).filter((name) => name.startsWith(`${basename(dataDirectory)}.new`));
  drafts.forEach((name) => rmSync(join(folder, name), { recursive: true }));
}
