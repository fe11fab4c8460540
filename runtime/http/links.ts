import type { CollectionPlan, PageStart } from '../plan/plan-read.js';
import type { TokenBinding } from '../paging/skiptoken.js';
import type { Exchange } from './exchange.js';

/** Where the page starts, when the request follows a link. */
export function openSkiptoken(exchange: Exchange): PageStart | undefined {
  const { skiptoken } = exchange.options;
  return skiptoken === undefined ? undefined : exchange.service.seal.open(skiptoken, bindingOf(exchange));
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
  return `${exchange.service.root}${exchange.request.path}?${query}`;
}

// The token knows where the page starts, so that `$skip` would only skip again.
function keptOptions({ raw }: Exchange): Exchange['raw'] {
  return raw.filter(({ name }) => name !== '$skip' && name !== '$skiptoken');
}

function bindingOf(exchange: Exchange): TokenBinding {
  const options = keptOptions(exchange).filter(({ name }) => name.startsWith('$')).map(({ name, value }) => `${name}=${value}`);
  return { request: [exchange.request.path, ...options.sort()].join('\n'), modelHash: exchange.service.container.modelHash };
}
