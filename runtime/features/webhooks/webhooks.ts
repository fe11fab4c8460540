import { registerBackground, type Background, type Log, type Surroundings, type Meter, type Meters } from '../../http/background.js';
import { registerOutside } from '../../http/outside.js';
import { hookEndpoint } from './hook-endpoint.js';
import { isTracked } from '../changes/tracked-tables.js';
import { deliver, type Delivered, type DeliveryParts, leaseTime, partsOf } from './deliver.js';
import { endDelivery, leaseHook, type LeasedHook } from './lease.js';
import { gapOf } from './print-hook.js';
import type { Statement } from '../../sql/statement.js';
import { changeColumns, changeTable } from '../../edm/index.js';
import { quote } from '../../schema/identifier.js';
import { hookTableName } from './hook-row.js';

/** Registers the deliveries of hooks, and the address at which tokens manage them. */
export function registerWebhooks(): void {
  registerOutside(hookEndpoint);
  registerBackground(startDeliveries);
}

/** Milliseconds between two looks for hooks that are due. */
const interval = 500;

/** The most hooks that a process delivers to concurrently. */
const mostAtOnce = 10;

/** Delivers changes to hooks while the service runs; every process does, and leases see to it that one at a time does. */
function startDeliveries({ site, service, log, meters, isBusy }: Surroundings): Background | undefined {
  if (!isTracked(service.container) || service.readOnly || !site.webhooks?.delivers) return undefined;
  const cut = new AbortController();
  const parts = partsOf(service, site.webhooks, cut.signal);
  const crew = new Crew(parts, log, createHookMeters(meters), isBusy);
  const ended = crew.work();
  return {
    stop: async (milliseconds) => {
      crew.stop();
      const late = setTimeout(() => cut.abort(), milliseconds);
      await ended;
      clearTimeout(late);
    },
  };
}

class Crew {
  readonly #running = new Set<Promise<void>>();
  #stopped = false;
  /** Whether a delivery has ended since the last look for hooks. */
  #isDue = false;
  #isFailing = false;
  #wake: () => void = () => undefined;

  constructor(
    readonly parts: DeliveryParts,
    readonly log: Log,
    readonly meters: HookMeters,
    readonly isBusy: () => boolean,
  ) {}

  /** Starts deliveries until it is stopped, and resolves when the last has ended. */
  async work(): Promise<void> {
    await this.#wait();
    while (!this.#stopped) {
      this.#isDue = false;
      const hook = await this.#reporting(() => this.#lease());
      if (hook !== undefined) this.#start(hook);
      else if (!this.#isDue) await this.#wait();
    }
    await Promise.all(this.#running);
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  async #lease(): Promise<LeasedHook | undefined> {
    // Requests come first.
    if (this.#running.size >= mostAtOnce || this.isBusy()) return undefined;
    const hook = await this.parts.onDatabase((connection) => leaseHook(leaseTime(this.parts), connection));
    if (hook === undefined) await this.meters.measure(this.parts.onDatabase);
    return hook;
  }

  #start(hook: LeasedHook): void {
    const run = this.#reporting(() => this.#deliver(hook)).finally(() => {
      this.#running.delete(run);
      this.#isDue = true;
      this.#wake();
    });
    this.#running.add(run);
  }

  async #deliver(hook: LeasedHook): Promise<void> {
    const delivered = await deliver(hook, this.parts);
    if (delivered === undefined) return;
    const isStored = await this.parts.onDatabase((connection) => endDelivery(hook, delivered.ending, connection));
    if (!isStored || delivered.ending.kind === 'passed') return;
    this.meters.count({ outcome: delivered.ending.kind });
    logOutcome(hook, delivered, this.log);
  }

  // The first failure after each success is logged; a lease that remains ends by itself.
  async #reporting<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      this.#isFailing = false;
      return result;
    } catch (failure) {
      if (!this.#isFailing) this.log('warn', { failure }, 'webhooks cannot be delivered at present');
      this.#isFailing = true;
      return undefined;
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, interval);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const levels = { delivered: 'info', confirmed: 'info', interrupted: 'info', passed: 'info', failed: 'warn', stopped: 'error' } as const;

function logOutcome(hook: LeasedHook, { ending, status, message, changes }: Delivered, log: Log): void {
  const { kind, ...rest } = ending;
  const gap = kind === 'delivered' ? gapOf(hook) : undefined;
  const { id, failures } = hook;
  log(gap === undefined ? levels[kind] : 'warn', { hook: id, message, changes, status, failures, ...rest, gap }, `webhook ${kind}`);
}

/** Milliseconds for which the gauges of hooks are not read again. */
const lifetime = 5_000;

const states = ['active', 'paused', 'stopped'] as const;

interface HookMeters {
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
