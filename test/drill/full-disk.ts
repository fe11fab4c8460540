import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../runtime/database/connect.js';
import { accountFor, give } from '../../runtime/tools/embedded/place.js';
import { startEmbedded, type EmbeddedDatabase } from '../../runtime/tools/embedded/start.js';
import { withConnection } from '../../runtime/database/run.js';
import { startProcess } from '../operation/serve-process.js';
import type { Target } from './load.js';
import { inPlace, seed, targetOf } from './place.js';
import { strikeRepeatedly, untilRefused, whileServing, type DrillOutcome } from './rounds.js';
import { directoryOf, fill, onSmallDisk } from './small-disk.js';

/** The disk that the listings are on becomes full, and is emptied again: until then writes are refused, and reads answered. */
export function fillDisk(title: string, rounds: number): Promise<DrillOutcome> {
  return inPlace((place) =>
    onSmallDisk(place, 16, async (disk) => {
      seed(place);
      const database = await startEmbedded({ directory: directoryOf(place), report: () => undefined });
      try {
        await moveListings(database, disk);
        const served = await startProcess([], place.environment);
        const target = await targetOf(served);
        return await whileServing(
          served,
          strikeRepeatedly(title, rounds, target, async (record) => {
            const ballast = fill(disk);
            await untilRefused(record);
            const read = await statusOfRead(target);
            rmSync(ballast);
            return { status: [201, 503], mended: performance.now(), ...(read !== 200 && { fault: `a read was answered with ${read}` }) };
          }),
        );
      } finally {
        await database.stop();
      }
    }),
  );
}

// The write-ahead log stays: a separate drill fills its disk.
async function moveListings({ url }: EmbeddedDatabase, disk: string): Promise<void> {
  const space = join(disk, 'listings');
  mkdirSync(space);
  give(accountFor(space), space);
  const pool = connect(url, { statementTimeout: 0 });
  for (const text of [`CREATE TABLESPACE small LOCATION '${space}'`, 'ALTER TABLE "Property" SET TABLESPACE small']) {
    await withConnection(pool, ({ run }) => run({ text, bind: [] }));
  }
  await pool.close();
}

async function statusOfRead({ url, token }: Target): Promise<number> {
  const response = await fetch(`${url}/odata/Property?$top=1`, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}
