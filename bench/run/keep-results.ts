import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, platform, totalmem } from 'node:os';
import { join } from 'node:path';

const folder = join('bench', 'results');

/** Writes figures and the machine as a JSON file, named after the measurement and its end; returns the file. */
export function keepResults(prefix: string, figures: object): string {
  const date = new Date().toISOString();
  const machine = {
    platform: platform(),
    arch: arch(),
    processors: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${prefix}${date.slice(0, 16).replace(':', '')}.json`);
  writeFileSync(file, `${JSON.stringify({ date, machine, ...figures }, undefined, 2)}\n`);
  return file;
}
