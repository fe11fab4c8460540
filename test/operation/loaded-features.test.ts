import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';

// Prints the folders of features whose files a process has loaded after it registered those of a model.
async function loadedBy(container: object): Promise<readonly string[]> {
  const { href } = new URL('../../runtime/', import.meta.url);
  const script = `
    import { Session } from 'node:inspector';
    await import('${href}main.js');
    const { registerFeatures } = await import('${href}features/index.js');
    await registerFeatures(${JSON.stringify(container)});
    const session = new Session();
    const folders = new Set();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params }) => folders.add(/runtime\\/features\\/([a-z0-9-]+)\\//.exec(params.url)?.[1]));
    session.post('Debugger.enable', () => console.log([...folders].filter(Boolean).sort().join('\\n')));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return stdout.trim().split('\n');
}

test('a model does not load the features that it does not use', async (t) => {
  const entityTypes = {};
  t.deepEqual(await loadedBy({ entityTypes, filterFunctions: ['length'], unsupported: ['$batch', '$crossjoin', '$all'] }), [
    'apply',
    'explain',
    'explorer',
    'exports',
    'full-metadata',
    'metadata-40',
    'openapi',
    'pages',
    'property-addresses',
    'repeatable-requests',
    'search',
  ]);
  t.deepEqual(await loadedBy({ entityTypes, operations: {} }), [
    'apply',
    'batch',
    'cross-set',
    'explain',
    'explorer',
    'exports',
    'full-metadata',
    'geo',
    'metadata-40',
    'openapi',
    'operations',
    'pages',
    'patterns',
    'property-addresses',
    'repeatable-requests',
    'search',
  ]);
  const routes = [{ method: 'PATCH', operation: 'updateEntity' }];
  const ofCars = await loadedBy({
    entityTypes: { Car: { tracking: { expandable: [] }, permissions: {}, navigation: {}, key: [], fields: {}, streams: {}, routes } },
  });
  t.true(['changes', 'media-streams', 'set-updates'].every((feature) => ofCars.includes(feature)));
});
