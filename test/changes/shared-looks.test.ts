import test from 'ava';
import { anyone } from '../../runtime/database/cancel.js';
import { waitForChanges, waitLimits } from '../../runtime/features/changes/delta/wait.js';
import type { Exchange } from '../../runtime/http/service.js';
import { createTokenSeal } from '../../runtime/paging/skiptoken.js';
import type { Connection } from '../../runtime/sql/statement.js';

const clients = 20;

// Traces and Server-Timing measure each request by a store of its own.
test('requests that wait share their looks at the log, also where each is measured', async (t) => {
  const seal = createTokenSeal('a secret of the tests, long enough to be one');
  let reads = 0;
  const state = ['5', '0', '00000001', 'f', '', '0'];
  const read = async (work: (connection: Pick<Connection, 'run'>) => unknown): Promise<unknown> => {
    reads += 1;
    return work({ run: async () => [state] });
  };
  const exchangeOf = (): Exchange =>
    ({ preferences: { wait: 1 }, request: { recipient: anyone }, service: { seal, store: { read } } }) as unknown as Exchange; // What waiting uses.
  const waited = await Promise.all(Array.from({ length: clients }, () => waitForChanges(exchangeOf(), async () => false)));
  t.deepEqual(new Set(waited), new Set([true]));
  t.true(reads <= clients + 1_000 / waitLimits.interval + 1, `${reads} reads of ${clients} requests within a second`);
});
