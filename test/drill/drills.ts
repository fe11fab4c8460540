import { bySeveralHosts, failOver, throughProxy } from './failover.js';
import { fillDisk } from './full-disk.js';
import { fillLog } from './full-log.js';
import { killDatabase, signalService } from './kills.js';
import type { DrillOutcome } from './rounds.js';
import { unableToMount } from './small-disk.js';

/** A failure of a service or its PostgreSQL while four writers write. */
interface Drill {
  readonly title: string;
  readonly play: (title: string, rounds: number) => Promise<DrillOutcome>;
  /** Why it cannot be played here, if so. */
  readonly unable?: () => string | undefined;
}

/** Every drill there is. */
export const drills: readonly Drill[] = [
  { title: 'kill -9 of PostgreSQL', play: killDatabase },
  { title: 'kill -9 of the service', play: signalService('SIGKILL', 'SIGKILL') },
  { title: 'SIGTERM to the service', play: signalService('SIGTERM', 0) },
  { title: 'a full disk', play: fillDisk, unable: unableToMount },
  { title: 'a full disk of the log', play: fillLog, unable: unableToMount },
  { title: 'failover to a standby', play: failOver(throughProxy) },
  { title: 'failover to another host of the address', play: failOver(bySeveralHosts) },
];
