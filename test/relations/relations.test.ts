import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { caller, testModels } from '../toy/test-models.js';
import { compileModel, startModel, temporaryFolder } from '../toy/toy-service.js';

test.serial('constraints that join whole numbers of different widths', async (t) => {
  const folder = temporaryFolder();
  const model = await compileModel('test/toy/widths.xml', folder, 'lenient');
  const service = await startModel({ ...model, extensions: {}, generated: folder }, folder);
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/widths.http', service);
});

// prettier-ignore
testModels({
  'relations without a constraint': { model: 'library' },
  'keys and foreign keys within complex values': { model: 'aliases' },
  'dates, times, durations and enumerations of complex values in keys': { model: 'moments' },
  'partners that are both single-valued': { model: 'pairs' },
  'types of the same name in two schemas': { model: 'twins' },
  'navigation properties of complex values': { model: 'nested' },
  'navigation properties of nullable complex values': { model: 'seats', callers: { blind: caller(['blind']) } },
  'several entity sets of one type': { model: 'sets' },
  'properties and navigation properties of derived complex types': { model: 'villas' },
  'deletes that cascade to the target (Rules.DeletesTarget)': { model: 'cars', callers: { adam: caller(['smith']), bea: caller(['helper']), cid: caller([]) } },
  'keys of every type, repeated in bodies': { model: 'keys' },
  'collections related by equal values': { model: 'match' },
  'contained entities whose parents are in several places': { model: 'inns' },
});
