import { run } from '../../runtime/tools/cli/serve.js';

// `gable serve` from its modules instead of their bundle.
process.exitCode = await run(process.argv.slice(3));
