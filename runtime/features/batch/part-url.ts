import { errors } from '../../errors/catalogue.js';
import { splitOnce } from '../../protocol/message.js';
import type { BatchPart } from './batch.js';
import { isSuccess, type Outcomes } from './outcomes.js';

/** The address of a part: the path after the service root and the query string, both still percent-encoded. */
interface PartAddress {
  readonly path: string;
  readonly query: string;
}

/** The addresses that those of parts are resolved against. */
export interface BatchAddress {
  /** The absolute URL of the service root, as clients know it. */
  readonly root: string;
  /** The Host header of the batch, by which clients behind a proxy may address the service. */
  readonly host: string | undefined;
}

/** Resolves the URL of a part (protocol 11.7.2); nothing outside of the service root can be reached. */
export function resolvePart({ url, headers }: Pick<BatchPart, 'url' | 'headers'>, outcomes: Outcomes, address: BatchAddress): PartAddress {
  const [before = '', query = ''] = splitOnce(splitOnce(url, '#')[0] ?? '', '?');
  requireOwnHost(headers.get('host'), address);
  const path = pathOf(before, outcomes, address);
  const first = path.split('/').find((segment) => segment !== '');
  if (first !== undefined && /^(\$|%24)batch$/i.test(first)) throw errors.badPart('batches cannot be nested');
  return { path, query };
}

/** The path below the service root of an absolute URL of this service. */
export function pathOfUrl(url: string, address: BatchAddress): string | undefined {
  const [, origin = '', absolute = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)(\/.*)?$/is.exec(url) ?? [];
  const own = new URL(address.root);
  const isOwn = URL.canParse(origin) && (new URL(origin).origin === own.origin || isHost(origin, address.host)) && !origin.includes('@');
  return isOwn ? beneath(absolute, own) : undefined;
}

/** The first segments of a path that begin with `$`; any other is a reference. */
const systemResources = /^(\$(metadata|entity|all|batch|root|query|crossjoin(\(.*)?))$/i;

function pathOf(text: string, outcomes: Outcomes, address: BatchAddress): string {
  return dereferenced(beneathRoot(text, address) ?? outside(text, address), outcomes);
}

function beneathRoot(text: string, address: BatchAddress): string | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return pathOfUrl(text, address);
  return text.startsWith('/') ? beneath(text, new URL(address.root)) : `/${text}`;
}

// A reference is the first segment after the service root, in any form of the URL.
function dereferenced(path: string, outcomes: Outcomes): string {
  const [, first = '', ...rest] = path.split('/');
  const name = first.replace(/^%24/, '$');
  if (!name.startsWith('$') || systemResources.test(name)) return path;
  const referred = outcomes.parts.get(name.slice(1));
  return referred && isSuccess(referred.response) ? [referred.path, ...rest].join('/') : unknownReference(name);
}

function unknownReference(text: string): never {
  throw errors.badPart(`${text.slice(0, 64)} does not refer to a previous successful request`);
}

// A part with an absolute path may have a Host (RFC 9112, 3.2), which must be that of the batch or of the service.
function requireOwnHost(host: string | undefined, address: BatchAddress): void {
  if (host !== undefined && host !== address.host && host !== new URL(address.root).host) outside(`//${host}`, address);
}

function isHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}

function beneath(absolute: string, root: URL): string | undefined {
  const start = root.pathname.replace(/\/$/, '');
  return absolute === start || absolute.startsWith(`${start}/`) ? absolute.slice(start.length) : undefined;
}

function outside(text: string, { root }: BatchAddress): never {
  throw errors.badPart(`${text.slice(0, 128)} is outside the service root ${root}/`);
}
