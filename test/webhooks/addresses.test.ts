import { isIP } from 'node:net';
import test from 'ava';
import { addressFault, checkedLookup, networkList, refusedAddress, type Resolve } from '../../runtime/features/webhooks/address.js';
import { checkCases } from '../support/cases.js';

const none = networkList([]);

// `URL -> ADDRESS ...`: the addresses that the name resolves to.
async function verdict(input: string): Promise<string> {
  const [url = '', resolved] = input.split(/ ->/);
  const fault = addressFault(url, none);
  if (fault !== undefined) return `refused: ${fault}`;
  if (resolved === undefined) return 'reached';
  return reach(new URL(url).hostname, resolved.split(' ').filter(Boolean));
}

function reach(host: string, addresses: readonly string[]): Promise<string> {
  const resolve: Resolve = (_, found) =>
    found(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  return new Promise((settle) => {
    checkedLookup(none, resolve)(host, { all: true }, (failure, found) =>
      settle(failure === null ? `reached: ${JSON.stringify(found)}` : `refused: ${failure.message}`),
    );
  });
}

test('hooks reach public https addresses only', async (t) => {
  await checkCases(t, 'webhooks/addresses.case', { verdict });
});

test('a network that the settings allow is reached', (t) => {
  const allowed = networkList(['10.1.0.0/16', '127.0.0.1', 'fd00::/8']);
  const addresses = ['10.1.2.3', '127.0.0.1', 'fd12::1', '::ffff:10.1.2.3', '10.2.0.1', '127.0.0.2'];
  t.deepEqual(
    addresses.filter((address) => refusedAddress(address, allowed) === undefined),
    addresses.slice(0, 4),
  );
});
