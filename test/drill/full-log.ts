import { execFileSync } from 'node:child_process';
import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../runtime/database/connect.js';
import { choosePlace } from '../../runtime/tools/embedded/place.js';
import { startEmbedded } from '../../runtime/tools/embedded/start.js';
import { withConnection } from '../../runtime/database/run.js';
import { startProcess } from '../operation/serve-process.js';
import { inPlace, seed, targetOf, type Place } from './place.js';
import { strikeRepeatedly, untilRefused, whileServing, type DrillOutcome } from './rounds.js';
import { directoryOf, fill, onSmallDisk } from './small-disk.js';

/** Milliseconds for which the disk stays full. */
const outage = 5_000;

/** PostgreSQL keeps as many files in store as it has lately used up; a few rounds more, and they are the whole disk, with nothing left to free. */
const mostRounds = 6;

/**
 * The disk of the log of transactions becomes full, in which PostgreSQL panics and cannot even come back, and is
 * emptied again. Nobody starts anything by hand.
 */
export function fillLog(title: string, rounds: number): Promise<DrillOutcome> {
  return inPlace((place) =>
    onSmallDisk(place, 160, async (disk) => {
      seed(place);
      moveLog(place, disk);
      const database = await startEmbedded({ directory: directoryOf(place), report: () => undefined });
      try {
        const served = await startProcess([], place.environment);
        return await whileServing(
          served,
          strikeRepeatedly(title, Math.min(rounds, mostRounds), await targetOf(served), async (record) => {
            const ballast = fill(disk);
            await useUpLog(database.url);
            await untilRefused(record);
            // Long enough for a server to try to come back, and to fail.
            await delay(outage);
            rmSync(ballast);
            return { status: [201, 503], mended: performance.now() };
          }),
        );
      } finally {
        await database.stop();
      }
    }),
  );
}

// The server has stopped with the process that made its tables.
function moveLog(place: Place, disk: string): void {
  const log = join(choosePlace(realpathSync(directoryOf(place))).dataDirectory, 'pg_wal');
  execFileSync('cp', ['-a', log, disk]);
  rmSync(log, { recursive: true });
  symlinkSync(join(disk, 'pg_wal'), log);
}

// The server has files in store that it fills before it wants more room, and writers alone would take long for that.
async function useUpLog(url: string): Promise<void> {
  const pool = connect(url, { poolSize: 1, statementTimeout: 2_000 });
  const begin = (): Promise<unknown> =>
    withConnection(pool, ({ run }) =>
      run({ text: "SELECT pg_switch_wal(), pg_logical_emit_message(false, 'drill', repeat('x', 10000))", bind: [] }),
    );
  const panicked = async (): Promise<boolean> =>
    begin().then(
      () => false,
      () => true,
    );
  while (!(await panicked()));
  await pool.close();
}
