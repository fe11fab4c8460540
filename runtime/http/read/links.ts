import { errors } from '../../errors/catalogue.js';
import type { CollectionPlan } from '../../plan/read/plan-read.js';
import type { SkipToken } from '../../paging/skiptoken.js';
import type { LinkOf } from '../../response/record-format.js';
import type { PrintedOption } from '../../uri/print-options.js';
import type { RawOption } from '../../uri/query-options.js';
import type { Exchange, Service } from '../service.js';
import { memoized } from '../../edm/memoized.js';
import { type Ordered, orderHash } from './order-hash.js';
import type { PreparedPage } from './plan-cache.js';
import { httpLimits, isTooLong, withoutSlashes } from '../../protocol/message.js';

/** The request, which may have been a POST, with its options, and the service, from which links are made. */
export type Linking = Pick<Exchange, 'request' | 'service' | 'caller' | 'preferences' | 'raw' | 'carried'>;

/** Opens a `$skiptoken`; rejects one of another request. */
export function openSkiptoken(token: string, linking: Pick<Linking, 'request' | 'service' | 'raw'>): SkipToken {
  return linking.service.seal.open(token, bindingOf(linking, keptOptions(linking)));
}

/** Creates the next links of expanded collections, which continue at the parent's navigation property. */
export function expandLinks(service: Service): LinkOf {
  const { root, seal } = service;
  const hashOf = memoized((expand: Ordered) => orderHash(expand, service));
  return (path, expand, options, after) => {
    const token = seal.seal({ after, order: hashOf(expand) }, bindingText(`/${path}`, options));
    const query = [...options.map(({ name, value }) => `${name}=${encodeValue(value)}`), `$skiptoken=${token}`].join('&');
    return requireShort(`${root}/${path}?${query}`, `the remaining ${path}`);
  };
}

// Characters that a query string permits stay readable.
function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(/%(?:2C|24|2F|3A|3B|3D|40)/g, decodeURIComponent);
}

/** The link to the next page (specification 4.5), if there is one; `after` has the order's values in the last row. */
export function nextLink(
  { plan, order }: Pick<PreparedPage, 'plan' | 'order'>,
  after: readonly (string | null)[],
  linking: Linking,
): string | undefined {
  if (plan.size === 0) return undefined;
  if (linking.request.method === 'POST') return afterAction(plan, linking);
  const remaining = plan.remaining === undefined ? undefined : plan.remaining - plan.size;
  if (remaining === 0) return undefined;
  const kept = keptOptions(linking);
  const token = linking.service.seal.seal(
    { after, order, ...(remaining !== undefined && { remaining }), ...(linking.carried !== undefined && { carried: linking.carried }) },
    bindingOf(linking, kept),
  );
  const address = `${linking.service.root}${withoutSlashes(linking.request.path)}`;
  let link = `${address}?`;
  for (const { text } of kept) link += `${text}&`;
  link += `$skiptoken=${token}`;
  // A query that exceeds a URL becomes a POST to $query, with the query string as its body.
  return isTooLong('GET', link) ? requireShort(`${address}/$query?$skiptoken=${token}`, 'the next page') : link;
}

// The result of an action cannot be read again, so it has no further pages: $top, the complete result, or an error.
function afterAction({ size }: CollectionPlan, { raw }: Linking): undefined {
  if (raw.some(({ name }) => name === '$top')) return undefined;
  throw errors.limitExceeded(`The action returns more than ${size} records; call it with $top, $filter or Prefer: return=minimal.`);
}

// Rejects a link that would be too long.
function requireShort(link: string, what: string): string {
  if (!isTooLong('POST', link)) return link;
  throw errors.limitExceeded(`The link to ${what} would be longer than ${httpLimits.requestLine} bytes; shorten the request.`);
}

// The token includes the position, so `$skip` is dropped.
function keptOptions({ raw }: Pick<Linking, 'raw'>): readonly RawOption[] {
  const kept = [];
  for (const option of raw) if (option.name !== '$skip' && option.name !== '$skiptoken') kept.push(option);
  return kept;
}

/** The binding of a token to a request with these options. */
export function bindingOf({ request }: Pick<Linking, 'request'>, kept: readonly RawOption[]): string {
  return bindingText(withoutSlashes(request.path), kept);
}

// Custom options have no meaning for a page, and their order has none for any.
function bindingText(path: string, options: readonly PrintedOption[]): string {
  const texts = [];
  for (const { name, value } of options) if (name.startsWith('$') || name.startsWith('@')) texts.push(`${name}=${value}`);
  return [path, ...texts.sort()].join('\n');
}
