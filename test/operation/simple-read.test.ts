import { Session } from 'node:inspector/promises';
import test from 'ava';
import { startService } from '../support/service.js';

// Files of features with a function that runs during the work.
async function featuresIn(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  // The first function of a file is the file itself.
  const isPassed = ({ functions }: (typeof result)[number]): boolean =>
    functions.some(({ ranges: [range] }) => range !== undefined && range.count > 0 && range.startOffset > 0);
  const files = result.filter(isPassed).map(({ url }) => /\/(runtime\/.*)\.js$/.exec(url)?.[1] ?? '');
  return files.filter((file) => file.startsWith('runtime/features/')).sort();
}

test('a simple read passes no feature', async (t) => {
  // A service that only reads does no work of features in the background.
  const service = await startService({
    GABLE_READ_ONLY: 'true',
    GABLE_DOCS: 'true',
    GABLE_EXPLORER: 'true',
    GABLE_EXPLAIN_SCOPE: 'gable.admin',
  });
  t.teardown(() => service.stop());
  const headers = { Authorization: `Bearer ${await service.token('all')}` };
  const read = async (path: string): Promise<void> => {
    const response = await fetch(`${service.root}${path}`, { headers });
    t.is(response.status, 200, await response.text());
  };
  for (const path of ["/Property?$filter=City%20eq%20'Toronto'&$top=5", "/Property('3')?$select=City", '/Property/$count']) {
    t.deepEqual(await featuresIn(() => read(path)), [], path);
    t.deepEqual(await featuresIn(() => read(path)), [], path);
  }
  // The set of events is a feature, and found by its statement.
  t.true((await featuresIn(() => read('/EntityEvent?$top=1'))).includes('runtime/features/changes/event-set'));
});
