import { registerBackground } from '../../http/background.js';
import { registerOutside } from '../../http/outside.js';
import { hookEndpoint } from './hook-endpoint.js';
import { startDeliveries } from './worker.js';

/** Registers the deliveries of hooks, and the address at which tokens manage them. */
export function registerWebhooks(): void {
  registerOutside(hookEndpoint);
  registerBackground(startDeliveries);
}
