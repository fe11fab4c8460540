import type { Meter, Meters } from '../../http/background.js';
import type { Statement } from '../../sql/statement.js';
import { changeColumns, changeTable } from '../../edm/index.js';
import { quote } from '../../schema/identifier.js';
import type { DeliveryParts } from './parts.js';
import { hookTableName } from './hook-table.js';

/** Milliseconds for which the gauges of hooks are not read again. */
const lifetime = 5_000;

const states = ['active', 'paused', 'stopped'] as const;

/** The metrics of hooks. */
export interface HookMeters {
  readonly count: Meter<'outcome'>;
  /** Sets the gauges, at most every five seconds. */
  readonly measure: (onDatabase: DeliveryParts['onDatabase']) => Promise<void>;
}

/** Creates the metrics of hooks. */
export function createHookMeters(meters: Meters): HookMeters {
  const count = meters.counter('gable_webhook_deliveries_total', 'Requests to consumers of webhooks by their outcome', ['outcome']);
  const hooks = meters.gauge('gable_webhooks', 'Webhooks by their state', ['state']);
  const age = meters.gauge('gable_webhook_lag_seconds', 'Age of the oldest change that an active webhook has not delivered', []);
  let at = -Infinity;
  const measure: HookMeters['measure'] = async (onDatabase) => {
    if (performance.now() - at < lifetime) return;
    at = performance.now();
    const rows = await onDatabase(({ run }) => run(compileStates()));
    const numbers = new Map(rows.map(([state, number]) => [state, Number(number)]));
    for (const state of states) hooks({ state }, numbers.get(state) ?? 0);
    age({}, Number(rows.find(([state]) => state === 'active')?.[2] ?? 0));
  };
  return { count, measure };
}

// The first change behind the position of the hook that is furthest behind.
function compileStates(): Statement {
  const [number, at] = [quote(changeColumns.number), quote(changeColumns.at)];
  const oldest = `select ${at} from ${quote(changeTable)} where ${number} > min(h.position) order by ${number} limit 1`;
  return {
    text: `select h.state, count(*), extract(epoch from now() - (${oldest})) from ${hookTableName} h group by h.state`,
    bind: [],
    reusable: true,
    unfiltered: true,
    lockless: true,
  };
}
