import { errors } from '../../errors/catalogue.js';
import type { CollectionPlan } from '../../plan/plan-read.js';
import type { SkipToken, TokenBinding } from '../../paging/skiptoken.js';
import type { LinkOf } from '../../response/record-writer.js';
import type { PrintedOption } from '../../uri/print-options.js';
import type { RawOption } from '../../uri/query-options.js';
import type { Exchange } from '../exchange.js';
import { httpLimits, isTooLong } from '../../protocol/limits.js';
import { withoutSlashes } from '../../protocol/query-segment.js';
import type { Service } from '../service.js';

/** What an answer is made of beside its plan: the request, which may have come by POST, with its options, and the service. */
export type Linking = Pick<Exchange, 'request' | 'service' | 'preferences' | 'raw'>;

/** What a `$skiptoken` says, once it is found to be of this request. */
export function openSkiptoken(token: string, linking: Pick<Linking, 'request' | 'service' | 'raw'>): SkipToken {
  return linking.service.seal.open(token, bindingOf(linking, keptOptions(linking)));
}

/** Makes the links to what follows in expanded collections, each a collection of its own behind its parent's address. */
export function expandLinks({ root, seal, metadata }: Service): LinkOf {
  return (path, options, after) => {
    const token = seal.seal({ after }, { request: bindingText(`/${path}`, options), model: metadata.xml.etag });
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
export function nextLink(plan: CollectionPlan, after: readonly (string | null)[], linking: Linking): string | undefined {
  const remaining = plan.remaining === undefined ? undefined : plan.remaining - plan.size;
  if (plan.size === 0 || remaining === 0) return undefined;
  if (linking.request.method === 'POST') return afterAction(plan, linking);
  const kept = keptOptions(linking);
  const token = linking.service.seal.seal({ after, ...(remaining !== undefined && { remaining }) }, bindingOf(linking, kept));
  const query = [...kept.map(({ text }) => text), `$skiptoken=${token}`].join('&');
  const address = `${linking.service.root}${pathOf(linking)}`;
  const link = `${address}?${query}`;
  // What fits no URL came by POST, or nearly did not fit: the link then is a POST with the same query string as its body.
  return isTooLong('GET', link) ? requireShort(`${address}/$query?$skiptoken=${token}`, 'the next page') : link;
}

// What an action answers cannot be read again: there is what $top asks for, or all of it, or an error.
function afterAction({ size }: CollectionPlan, { raw }: Linking): undefined {
  if (raw.some(({ name }) => name === '$top')) return undefined;
  throw errors.limitExceeded(`The action answers with more than ${size} records; call it with $top, $filter or Prefer: return=minimal.`);
}

// A link that would be refused must not be given.
function requireShort(link: string, what: string): string {
  if (!isTooLong('POST', link)) return link;
  throw errors.limitExceeded(`The link to ${what} would be longer than ${httpLimits.requestLine} bytes; shorten the request.`);
}

// The token knows where the page starts, so that `$skip` would only skip again.
function keptOptions({ raw }: Pick<Linking, 'raw'>): readonly RawOption[] {
  return raw.filter(({ name }) => name !== '$skip' && name !== '$skiptoken');
}

function bindingOf(linking: Pick<Linking, 'request' | 'service'>, kept: readonly RawOption[]): TokenBinding {
  const options = kept.filter(({ name }) => name.startsWith('$') || name.startsWith('@'));
  return { request: bindingText(pathOf(linking), options), model: linking.service.metadata.xml.etag };
}

function pathOf({ request }: Pick<Linking, 'request'>): string {
  return withoutSlashes(request.path);
}

function bindingText(path: string, options: readonly PrintedOption[]): string {
  return [path, ...options.map(({ name, value }) => `${name}=${value}`).sort()].join('\n');
}
