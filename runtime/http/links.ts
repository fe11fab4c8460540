import type { CollectionPlan, PageStart } from '../plan/plan-read.js';
import type { TokenBinding } from '../paging/skiptoken.js';
import type { Row } from '../sql/statement.js';
import type { Exchange } from './exchange.js';

/** Where the page starts, when the request follows a link. */
export function openSkiptoken(exchange: Exchange): PageStart | undefined {
  const { skiptoken } = exchange.options;
  return skiptoken === undefined ? undefined : exchange.service.seal.open(skiptoken, bindingOf(exchange));
}

/**
 * The link to the next page (specification 4.5): there is a record on this page, another one follows, and
 * `$top`, where given, was reached.
 */
export function nextLink(plan: CollectionPlan, rows: readonly Row[], exchange: Exchange): string | undefined {
  const last = rows[plan.size - 1];
  const remaining = plan.remaining === undefined ? undefined : plan.remaining - plan.size;
  if (last === undefined || rows.length <= plan.size || remaining === 0) return undefined;
  const after = last.slice(last.length - plan.read.order.length);
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
