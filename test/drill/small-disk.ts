import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place } from './place.js';

/** Why no small disk can be had here, if so. */
export function unableToMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gable-mount-'));
  const mounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', 'gable-drill', folder]).status === 0;
  if (mounted) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return mounted ? undefined : 'it needs Linux, and the right to mount a small disk';
}

/** Runs `work` with a disk of so many megabytes in its place. */
export async function onSmallDisk<Result>(place: Place, megabytes: number, work: (disk: string) => Promise<Result>): Promise<Result> {
  const disk = join(place.directory, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'gable-drill', disk]);
  try {
    return await work(disk);
  } finally {
    execFileSync('umount', [disk]);
  }
}

/** Fills a disk, on which others write meanwhile; what is returned is the file to take away again. */
export function fill(disk: string): string {
  const ballast = join(disk, 'ballast');
  const page = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(ballast, page);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOSPC') throw failure;
  }
  return ballast;
}

/** Where a place's embedded database is. */
export function directoryOf({ environment }: Place): string {
  return environment['GABLE_DIRECTORY'] ?? '';
}
