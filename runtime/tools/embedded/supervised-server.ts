import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { createCluster, dataMajor } from './cluster.js';
import { passwordOf } from './credentials.js';
import { runnableBinaries } from './libraries.js';
import { choosePlace } from './place.js';
import { adoptPostmaster, startPostmaster, stopPostmaster, type Postmaster, type PostmasterOptions } from './postmaster.js';
import { openLog } from './server-log.js';
import type { SupervisorOptions } from './supervisor-protocol.js';

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
