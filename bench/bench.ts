import { openServer } from './prepare/open-server.js';
import { prepare } from './prepare/prepare.js';
import { profile } from './profile/profile.js';
import { measureChangeLog } from './run/change-log.js';
import { compare } from './run/compare.js';
import { growthSizes, measureGrowth } from './run/growth.js';
import { help, readOptions, type BenchOptions } from './run/options.js';
import { pinHere, unpinned } from './run/pinning.js';
import { openSession } from './run/session.js';

const options = understood(process.argv.slice(2));
if (options?.help) process.stdout.write(help);
else if (options !== undefined) {
  await prepareAlone(options);
  await measure(options);
}

// Mistakes in options are reported in a sentence, all other failures with their stack.
function understood(args: readonly string[]): BenchOptions | undefined {
  try {
    return readOptions(args);
  } catch (failure) {
    process.stderr.write(`${(failure as Error).message}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

// An embedded server inherits the processors of the process that starts it, so filling, which needs all of them, has a
// separate server.
async function prepareAlone({ listings, fresh, growth }: BenchOptions): Promise<void> {
  const server = await openServer();
  try {
    for (const size of growth ? growthSizes(listings) : [listings]) await prepare(server, size, fresh);
  } finally {
    await server.stop();
  }
}

async function measure(options: BenchOptions): Promise<void> {
  const pinning = options.unpinned ? unpinned : pinHere();
  const server = await openServer();
  try {
    if (options.growth) return await measureGrowth(options, server, pinning);
    const url = await prepare(server, options.listings, false);
    const session = await openSession(url);
    const work = options.profile !== undefined ? profile : options.changes ? measureChangeLog : compare;
    await work(options, url, session, pinning).finally(session.close);
  } finally {
    await server.stop();
  }
}
