import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Binaries, findBinaries, program, runnableBinaries } from './binaries.js';
import { passwordOf, type SupervisorOptions, userName } from './supervisor-protocol.js';
import { type Account, choosePlace, give, type Place } from './place.js';
import { adoptPostmaster, type Postmaster, type PostmasterOptions, startPostmaster, stopPostmaster, openLog } from './postmaster.js';

/** Milliseconds between two attempts to restart a server. */
const pause = 500;

/** A server that is restarted when it dies. */
export interface SupervisedServer {
  readonly port: () => number;
  /** False for a server that was already running. */
  readonly started: boolean;
  readonly notes: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts the server of a directory, adopting a running one and creating the cluster if necessary. */
export async function superviseServer(options: SupervisorOptions): Promise<SupervisedServer> {
  const { notes, ...serverOptions } = await prepare(options);
  const adopted = await adoptPostmaster(serverOptions.place);
  const first = adopted ?? (await startPostmaster(serverOptions));
  const keeper = keepRunning(first, serverOptions);
  return { ...keeper, started: adopted === undefined, notes };
}

async function prepare(options: SupervisorOptions): Promise<PostmasterOptions & { readonly notes: readonly string[] }> {
  const place = choosePlace(options.directory);
  const major = dataMajor(place.dataDirectory);
  const binaries = runnableBinaries(findBinaries(major, options.nativeDirectory), place.account, place.folder);
  if (major === undefined) await createCluster(binaries, place, { password: passwordOf(options.directory), durable: options.durable });
  const notes = place.reason === undefined ? [] : [place.reason];
  return { binaries, place, durable: options.durable, log: openLog(options.directory), notes };
}

// A restarted server uses the same port, so that the pools of attached processes find it again.
function keepRunning(first: Postmaster, options: PostmasterOptions): Pick<SupervisedServer, 'port' | 'stop'> {
  let current = first;
  let stopping = false;
  let restarted: Promise<void> = Promise.resolve();
  const restart = async (): Promise<void> => {
    if (stopping) return;
    try {
      current = await startPostmaster(options, current.port);
      watch();
    } catch (error) {
      // It ran before, so the reason may be temporary, like a full disk.
      console.error(error);
      await delay(pause);
      restarted = restart();
    }
  };
  const watch = (): void =>
    void current.exited.then(() => {
      if (!stopping) restarted = restart();
    });
  watch();
  return {
    port: () => current.port,
    stop: async () => {
      stopping = true;
      // A server that is restarting would stay running.
      await restarted;
      await stopPostmaster(current, options);
    },
  };
}

/** The major version of existing data; undefined without data. */
function dataMajor(dataDirectory: string): number | undefined {
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

// The builtin provider, new in version 17, sorts by code point on every system, where libc's order depends on the machine.
function localeArguments(major: number): readonly string[] {
  if (major < 17) return ['--locale=C.UTF-8'];
  if (process.platform === 'linux') return ['--locale-provider=builtin', '--locale=C.UTF-8'];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

// Asynchronous, because other processes may connect meanwhile.
async function runInitdb(binaries: Binaries, account: Account | undefined, options: readonly string[]): Promise<void> {
  const run = spawn(program(binaries, 'initdb'), options, { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  const output = text(run.stderr);
  const reason = await once(run, 'close').then(
    async ([status]: unknown[]) => (status === 0 ? undefined : (await output).trim()),
    (failure: unknown) => (failure instanceof Error ? failure.message : String(failure)),
  );
  if (reason !== undefined) throw new Error(`The embedded database could not be created: ${reason}`);
}

function removeDrafts(dataDirectory: string): void {
  const folder = dirname(dataDirectory);
  const drafts = readdirSync(folder).filter((name) => name.startsWith(`${basename(dataDirectory)}.new`));
  drafts.forEach((name) => rmSync(join(folder, name), { recursive: true }));
}
