import fc from 'fast-check';
import { registerFeatures } from '../../runtime/features/index.js';

/**
 * Loaded before every test file. The features are registered, as `main` does; property-based tests try the same values in every run, so that a red run is
 * a change's own doing. `FAST_CHECK_SEED=random` (or a number) looks for new ones.
 */
const seed = process.env['FAST_CHECK_SEED'] ?? '20261121';

if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

registerFeatures();
