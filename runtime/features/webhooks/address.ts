import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// oxfmt-ignore
/** Networks that hooks must not reach. BlockList applies those of IPv4 to IPv4 addresses within IPv6, too. */
const refused: readonly (readonly [network: string, bits: number, kind: string])[] = [
  ['0.0.0.0', 8, 'of this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'of a carrier\'s network'],
  ['127.0.0.0', 8, 'of this machine'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'for documentation'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'for measurements'],
  ['198.51.100.0', 24, 'for documentation'],
  ['203.0.113.0', 24, 'for documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
  ['::1', 128, 'of this machine'],
  ['64:ff9b::', 96, 'translated to IPv4'],
  ['64:ff9b:1::', 48, 'translated to IPv4'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['ff00::', 8, 'multicast'],
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'for documentation'],
  ['2002::', 16, 'translated to IPv4'],
  ['3fff::', 20, 'for documentation'],
  // Outside of 2000::/3 no address is global unicast (RFC 4291, 2.4).
  ['::', 3, 'not public'],
  ['4000::', 2, 'not public'],
  ['8000::', 1, 'not public'],
];

const kinds = refused.map(([network, bits, kind]) => ({ kind, family: familyOf(network), list: networkList([`${network}/${bits}`]) }));

/** A list of networks and addresses, such as `10.0.0.0/8`. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return list;
}

/** The reason why a hook may not reach an IP address; undefined if it may. */
export function refusedAddress(address: string, allowed: BlockList): string | undefined {
  const family = familyOf(address);
  if (allowed.check(address, family)) return undefined;
  // BlockList would look for an IPv4 address in the networks of IPv6, too.
  const found = kinds.find((kind) => (family === 'ipv6' || kind.family === 'ipv4') && kind.list.check(address, family));
  return found && `${address} is ${found.kind}`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

const longestAddress = 2048;

/** The rule that a hook's address breaks; undefined for none. Names are resolved only when a request is sent. */
export function addressFault(text: string, allowed: BlockList): string | undefined {
  if (text.length > longestAddress) return `it has more than ${longestAddress} characters`;
  if (/[\s\p{Cc}]/u.test(text)) return 'it must have no spaces and no control characters';
  if (!URL.canParse(text)) return 'it is not a URL';
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  if (protocol !== 'https:') return 'it must begin with https://';
  if (username !== '' || password !== '') return 'it must have no user and no password';
  if (hash !== '' || text.includes('#')) return 'it must have no fragment';
  if (port !== '' && Number(port) < 1024) return 'its port must be 443, or from 1024 to 65535';
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : refusedAddress(host, allowed);
}

/** Finds all addresses of a name, as `dns.lookup` with `all`. */
export type Resolve = (host: string, found: (failure: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void) => void;

const resolveName: Resolve = (host, found) => lookUp(host, { all: true }, found);

/**
 * A lookup for `https.request`, which connects to the addresses that were checked. One that may not be reached refuses
 * the name: its owner could change which one is used.
 */
export function checkedLookup(allowed: BlockList, resolve: Resolve = resolveName): LookupFunction {
  return (host, options, found) =>
    resolve(host, (failure, addresses) => {
      const reason = addresses?.map(({ address }) => refusedAddress(address, allowed)).find((one) => one !== undefined);
      const [first] = addresses ?? [];
      if (failure !== null || first === undefined) return found(failure ?? new Error(`${host} has no address`), '', 0);
      if (reason !== undefined) return found(new Error(reason), '', 0);
      if (options.all) return found(null, [...addresses]);
      return found(null, first.address, first.family);
    });
}
