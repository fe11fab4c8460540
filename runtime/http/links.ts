import { errors } from '../errors/catalogue.js';
import type { CollectionPlan, PageStart } from '../plan/plan-read.js';
import type { TokenBinding } from '../paging/skiptoken.js';
import type { LinkOf } from '../response/record-writer.js';
import type { PrintedOption } from '../uri/print-options.js';
import type { Exchange } from './exchange.js';
import { httpLimits, isTooLong } from './limits.js';

/** Where the page starts, when the request follows a link. */
export function openSkiptoken(exchange: Exchange): PageStart | undefined {
  const { skiptoken } = exchange.options;
  return skiptoken === undefined ? undefined : exchange.service.seal.open(skiptoken, bindingOf(exchange));
}

/** Makes the links to what follows in expanded collections, each a collection of its own behind its parent's address. */
export function expandLinks(exchange: Exchange): LinkOf {
  const { root, seal, container } = exchange.service;
  return (path, options, after) => {
    const token = seal.seal({ after }, { request: bindingText(`/${path}`, options), modelHash: container.modelHash });
    const query = [...options.map(({ name, value }) => `${name}=${encodeValue(value)}`), `$skiptoken=${token}`].join('&');
    return requireShort(`${root}/${path}?${query}`, `the rest of ${path}`);
  };
}

// What may stand in a query string stays readable.
function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(/%(?:2C|24|2F|3A|3B|3D|40)/g, decodeURIComponent);
}

/**
 * The link to the page after this one (specification 4.5), when there is one; `after` has the values of the order in
 * this page's last record.
 */
export function nextLink(plan: CollectionPlan, after: readonly (string | null)[], exchange: Exchange): string | undefined {
  const remaining = plan.remaining === undefined ? undefined : plan.remaining - plan.size;
  if (plan.size === 0 || remaining === 0) return undefined;
  const token = exchange.service.seal.seal({ after, ...(remaining !== undefined && { remaining }) }, bindingOf(exchange));
  const query = [...keptOptions(exchange).map(({ text }) => text), `$skiptoken=${token}`].join('&');
  const address = `${exchange.service.root}${pathOf(exchange)}`;
  const link = `${address}?${query}`;
  // What fits no URL came by POST, or nearly did not fit: the link then is a POST with the same query string as its body.
  return isTooLong('GET', link) ? requireShort(`${address}/$query?$skiptoken=${token}`, 'the next page') : link;
}

// A link that would be refused must not be given.
function requireShort(link: string, what: string): string {
  if (!isTooLong('POST', link)) return link;
  throw errors.limitExceeded(`The link to ${what} would be longer than ${httpLimits.requestLine} bytes; shorten the request.`);
}

// The token knows where the page starts, so that `$skip` would only skip again.
function keptOptions({ raw }: Exchange): Exchange['raw'] {
  return raw.filter(({ name }) => name !== '$skip' && name !== '$skiptoken');
}

function bindingOf(exchange: Exchange): TokenBinding {
  const options = keptOptions(exchange).filter(({ name }) => /^[$@]/.test(name));
  return { request: bindingText(pathOf(exchange), options), modelHash: exchange.service.container.modelHash };
}

function pathOf({ request }: Exchange): string {
  return request.path.replace(/\/+$/, '');
}

function bindingText(path: string, options: readonly PrintedOption[]): string {
  return [path, ...options.map(({ name, value }) => `${name}=${value}`).sort()].join('\n');
}
