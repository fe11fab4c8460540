import { killDatabase, signalService } from './kills.js';
import type { DrillOutcome } from './rounds.js';

/** What happens to a service on its own PostgreSQL while four writers write. */
export interface Drill {
  readonly title: string;
  readonly play: (title: string, rounds: number) => Promise<DrillOutcome>;
  /** Why it cannot be played here. */
  readonly unable?: string;
}

/** Every drill there is. */
export const drills: readonly Drill[] = [
  { title: 'kill -9 of PostgreSQL', play: killDatabase },
  { title: 'kill -9 of the service', play: signalService('SIGKILL', 'SIGKILL') },
  { title: 'SIGTERM to the service', play: signalService('SIGTERM', 0) },
];
