import type { EntityContainer } from '../../edm/entity-container.js';
import { registerBackground } from '../../http/background.js';
import { sqlHooks } from '../../sql/hooks.js';
import { httpHooks } from '../../http/hooks.js';
import { lastMember, readTracked } from './delta/read-tracked.js';
import { withEvents } from './event-set.js';
import { startKeeping } from './keeping.js';
import { logFollowers, logModel } from './log-changes.js';

/** Registers the change log, and the model whose changes are to be logged. */
export function registerChanges(container?: EntityContainer): void {
  if (container !== undefined) logModel(container);
  sqlHooks.register({ followers: logFollowers });
  registerBackground(startKeeping);
  httpHooks.register({ withViews: withEvents, readTracked, lastMember });
}
