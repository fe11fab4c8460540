import { anyone } from '../../database/cancel.js';
import type { EntityContainer } from '../../edm/entity-container.js';
import type { WebhookSettings } from '../../http/outside.js';
import { type Service, unfilteredStore } from '../../http/service.js';
import type { Connection } from '../../sql/statement.js';
import { networkList } from './address.js';
import type { SendSettings } from './send.js';

/** The dependencies of deliveries. */
export interface DeliveryParts {
  readonly root: string;
  readonly container: EntityContainer;
  /** The service's secret, from which those of hooks are derived. */
  readonly secret: string;
  readonly sending: SendSettings;
  /** The delays between tries in seconds. */
  readonly tries: readonly number[];
  /** Runs statements on a connection without row filters. */
  readonly onDatabase: <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;
}

/** The time for which a hook is leased: a request and the statements around it. */
export function leaseTime({ sending }: Pick<DeliveryParts, 'sending'>): number {
  return 2 * sending.timeout;
}

/** The dependencies of a service's deliveries; the signal aborts requests. */
export function partsOf(service: Service, { secret, networks, timeout, tries }: WebhookSettings, signal?: AbortSignal): DeliveryParts {
  const { root, container } = service;
  const sending = { allowed: networkList(networks), timeout, ...(signal && { signal }) };
  return { root, container, secret, sending, tries, onDatabase: (work) => unfilteredStore(service).read(work, anyone) };
}
