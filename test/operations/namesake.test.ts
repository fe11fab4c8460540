import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { compileModel, startModel, temporaryFolder } from '../toy/toy-service.js';

test('an action and a function with one name and binding are told apart by the method', async (t) => {
  const folder = temporaryFolder();
  const model = await compileModel('test/operations/namesake.xml', folder, 'lenient');
  const operations = { rank: ({ rank }: { rank: number }) => Promise.resolve(rank), rankOnItem: () => Promise.resolve(1) };
  const service = await startModel({ ...model, extensions: {}, operations, generated: folder }, folder);
  t.teardown(() => service.stop());
  await checkExchanges(t, '../operations/namesake.http', service);
});
