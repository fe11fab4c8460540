import { isIP } from 'node:net';
import test from 'ava';
import { fc } from '../support/fast-check.js';
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

/** Spellings of an IPv4 address in a URL. */
const spellings: readonly ((address: number) => string)[] = [
  (address) => String(address),
  (address) => `0x${address.toString(16)}`,
  (address) => `0${address.toString(8)}`,
  (address) => bytesOf(address).join('.'),
  (address) =>
    bytesOf(address)
      .map((byte) => `0x${byte.toString(16)}`)
      .join('.'),
  (address) => `[::ffff:${bytesOf(address).join('.')}]`,
  (address) => `[64:ff9b::${bytesOf(address).join('.')}]`,
];

function bytesOf(address: number): readonly number[] {
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255);
}

test('no spelling of a private address is reached', (t) => {
  const networks = [0x0a000000, 0x7f000000, 0xa9fe0000, 0xac100000, 0xc0a80000, 0x00000000];
  fc.assert(
    fc.property(
      fc.constantFrom(...networks),
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(...spellings),
      (network, rest, spell) => {
        return addressFault(`https://${spell(network + rest)}/`, none) !== undefined;
      },
    ),
  );
  t.pass();
});
