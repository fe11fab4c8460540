import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../runtime/database/connect.js';
import { accountFor, give } from '../../runtime/database/embedded/account.js';
import { startEmbedded, type EmbeddedDatabase } from '../../runtime/database/embedded/start.js';
import { withConnection } from '../../runtime/database/run.js';
import { startProcess } from '../operation/serve-process.js';
import type { Target } from './load.js';
import { end, inPlace, seed, targetOf, type Place } from './place.js';
import { strikeRepeatedly, untilRefused, whileServing, type DrillOutcome } from './rounds.js';

/** The disk that the listings are on becomes full, and is emptied again: until then writes are refused, and reads answered. */
export function fillDisk(title: string, rounds: number): Promise<DrillOutcome> {
  return inPlace((place) => onSmallDisk(place, async (disk) => {
    seed(place);
    const database = await startEmbedded({ directory: directoryOf(place), report: () => undefined });
    try {
      await moveListings(database, disk);
      const served = await startProcess([], place.environment);
      const target = await targetOf(served);
      const outcome = await whileServing(served, strikeRepeatedly(title, rounds, target, async (record) => {
        const ballast = fill(disk);
        await untilRefused(record);
        const read = await statusOfRead(target);
        rmSync(ballast);
        return { status: [201, 503], mended: performance.now(), ...(read !== 200 && { fault: `a read was answered with ${read}` }) };
      }));
      await end(served);
      return outcome;
    } finally {
      await database.stop();
    }
  }));
}

/** Why no small disk can be had here, if so. */
export function unableToMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gable-mount-'));
  const mounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', 'gable-drill', folder]).status === 0;
  if (mounted) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return mounted ? undefined : 'it needs Linux, and the right to mount a small disk';
}

async function onSmallDisk<Result>(place: Place, work: (disk: string) => Promise<Result>): Promise<Result> {
  const disk = join(place.directory, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=755', 'gable-drill', disk]);
  try {
    return await work(disk);
  } finally {
    execFileSync('umount', [disk]);
  }
}

function directoryOf({ environment }: Place): string {
  return environment['GABLE_DIRECTORY'] ?? '';
}

// The log of transactions stays where it is: without room for that the server could not even roll back.
async function moveListings({ url }: EmbeddedDatabase, disk: string): Promise<void> {
  const space = join(disk, 'listings');
  mkdirSync(space);
  give(accountFor(space), space);
  const sequelize = connect(url, { statementTimeout: 0 });
  for (const text of [`CREATE TABLESPACE small LOCATION '${space}'`, 'ALTER TABLE "Property" SET TABLESPACE small']) {
    await withConnection(sequelize, ({ run }) => run({ text, bind: [] }));
  }
  await sequelize.close();
}

function fill(disk: string): string {
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  return ballast;
}

async function statusOfRead({ url, token }: Target): Promise<number> {
  const response = await fetch(`${url}/odata/Property?$top=1`, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}
