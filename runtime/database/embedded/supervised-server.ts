import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { createCluster, dataMajor } from './cluster.js';
import { passwordOf } from './credentials.js';
import { runnableBinaries } from './libraries.js';
import { choosePlace } from './place.js';
import { adoptPostmaster, startPostmaster, stopPostmaster, type Postmaster, type PostmasterOptions } from './postmaster.js';
import { openLog } from './server-log.js';
import type { SupervisorOptions } from './supervisor-protocol.js';

/** Milliseconds between two attempts to start a server again. */
const pause = 500;

/** The server of a directory, started again when it dies, as often as it takes. */
export interface SupervisedServer {
  readonly port: () => number;
  /** False for a server that was already running. */
  readonly started: boolean;
  readonly notes: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Brings the server of a directory up: adopts one that runs, or makes the cluster if need be and starts it. */
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

// A server that was killed comes back on the same port, so that the pools of the attached processes find it again.
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
      // It ran before, so that the reason is one that may go away, like a full disk.
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
      // One that is just coming back would stay for good.
      await restarted;
      await stopPostmaster(current, options);
    },
  };
}
