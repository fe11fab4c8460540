// Depends on PostgreSQL: DDL.

import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { testModels } from '../toy/test-models.js';
import { compileModel, startModel, temporaryFolder } from '../toy/toy-service.js';

// oxfmt-ignore
const models = {
  widths: 'constraints that join whole numbers of different widths',
  parts: 'parts of parts that refer to the whole',
  drafts: 'a constraint of a contained record',
  shared: 'a property with the key of an entity of one of several types',
};

for (const [name, title] of Object.entries(models))
  test.serial(title, async (t) => {
    const folder = temporaryFolder();
    const model = await compileModel(`test/relations/${name}.xml`, folder, 'lenient');
    const service = await startModel({ ...model, extensions: {}, generated: folder }, folder);
    t.teardown(() => service.stop());
    await checkExchanges(t, `../relations/${name}.http`, service);
  });

// oxfmt-ignore
testModels({
  'keys that contain the key of a related entity': { model: 'lines' },
  'keys and foreign keys within complex values': { model: 'aliases' },
  'dates, times, durations and enumerations of complex values in keys': { model: 'moments' },
  'keys of every type, repeated in bodies': { model: 'keys' },
  'collections related by equal values': { model: 'match' },
});
