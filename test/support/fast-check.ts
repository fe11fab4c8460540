import fc from 'fast-check';

/**
 * Property-based tests try the same values in every run, so that a failure is caused by a change.
 * `FAST_CHECK_SEED=random` (or a number) looks for new ones.
 */
const seed = process.env['FAST_CHECK_SEED'] ?? '20261121';

if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

/** The seed of a failed run in place of its values, which may be long. */
export function faultOf({
  failed,
  seed: tried,
  errorInstance,
}: Pick<fc.RunDetails<unknown>, 'failed' | 'seed' | 'errorInstance'>): string | undefined {
  return failed ? `seed ${tried}: ${String(errorInstance)}` : undefined;
}

export { fc };
