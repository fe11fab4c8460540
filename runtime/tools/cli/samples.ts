import type { Database } from '../embedded/open.js';
import { ConfigError } from '../../config/config.js';
import type { EntityContainer } from '../../edm/entity-container.js';
import { registerFeatures } from '../../features/index.js';
import { seedSamples } from '../samples/seed-samples.js';
import { barsOf } from './progress.js';

/** The number given by `--samples`. */
export function samplesOf(text = '10'): number {
  if (!/^\d{1,4}$/.test(text)) throw new ConfigError(`--samples must be a whole number from 0 to 9999, not '${text}'.`);
  return Number(text);
}

/** The samples written by type, and the types without samples, with the reason. */
export type Samples = Pick<Awaited<ReturnType<typeof seedSamples>>, 'rows' | 'refused'>;

/** Fills an empty database with samples, and prints their number and the types without, unless it is to be quiet. */
export async function fillWithSamples(
  pool: Database['pool'],
  container: EntityContainer,
  count: number,
  isQuiet: boolean,
): Promise<Samples> {
  if (count === 0) return { rows: {}, refused: [] };
  // The samples' changes are logged like those of clients.
  await registerFeatures(container);
  const bars = barsOf(process.stderr);
  const samples = await seedSamples(pool, container, count, (done, total) => bars.show('sample records', done, total)).finally(bars.end);
  if (!isQuiet) print(samples);
  return samples;
}

function print({ rows, refused }: Samples): void {
  const total = Object.values(rows).reduce((sum, number) => sum + number, 0);
  if (total > 0)
    process.stdout.write(`Wrote ${total} sample records of ${Object.values(rows).filter((number) => number > 0).length} types.\n`);
  for (const { type, reason } of refused) process.stderr.write(`No samples of ${type}: ${reason}\n`);
}
