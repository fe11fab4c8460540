import { behind } from '../../features/webhooks/print-hook.js';
import type { Hook } from '../../features/webhooks/hook.js';

/** A hook in one line: its state, and how far it is behind. */
export function hookLine(hook: Hook): string {
  const { id, address, reason, failures } = hook;
  const failing = failures > 0 || reason !== undefined ? [`${failures} failures: ${reason ?? ''}`] : [];
  return `${[id, stateOf(hook), `${behind(hook)} behind`, address, ...failing].join('  ')}\n`;
}

function stateOf({ state, confirmed }: Hook): string {
  return state === 'active' && !confirmed ? 'not confirmed' : state;
}

/** A hook with all that is known of it, a line each. */
export function hookText(hook: Hook): string {
  const { id, address, format, sets, operations, scopes, member, owner, position, last, reason } = hook;
  const { failures, failingSince, nextTry, state, created, delivered, sealedBearer } = hook;
  const isWaiting = state === 'active' && failingSince !== undefined;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['name', id],
    ['address', address],
    ['format', format],
    ['sets', sets?.join(' ') ?? 'all'],
    ['operations', operations?.join(' ') ?? 'all'],
    ['scopes', scopes.join(' ')],
    ['member', member],
    ['owner', owner],
    ['bearer', sealedBearer === undefined ? undefined : '********'],
    ['state', stateOf(hook)],
    ['position', `${position} of ${last}`],
    ['failures', failures === 0 ? undefined : String(failures)],
    ['reason', reason],
    ['failing since', failingSince],
    ['next try', isWaiting ? nextTry : undefined],
    ['created', created],
    ['delivered', delivered],
  ];
  return rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name.padEnd(14)}${value}\n`])).join('');
}
