import { httpHooks } from '../../http/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { advertisedBy } from './http/advertised.js';
import { callOperation } from './http/call-operation.js';
import { planCallPath } from './plan/find-call.js';
import { parameterNames } from './plan/plan-call.js';

/** Registers the calls of actions and functions. */
export function registerOperations(): void {
  planHooks.register({ planCallPath });
  httpHooks.register({ callOperation, parameterNames, advertised: advertisedBy });
}
