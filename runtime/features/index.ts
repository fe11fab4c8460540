import { registerRequestKind } from '../http/respond.js';
import { registerApply } from './apply/apply.js';
import { batchRequest } from './batch/answer-batch.js';
import { registerCrossSet } from './cross-set/cross-set.js';
import { registerOperations } from './operations/operations.js';
import { repeatableRequest } from './repeatable-requests/repeatable.js';

/** Adds every feature to the tables of the core. A batch comes before a repeatable request, since its parts may be repeatable. */
export function registerFeatures(): void {
  registerApply();
  registerCrossSet();
  registerOperations();
  registerRequestKind(batchRequest);
  registerRequestKind(repeatableRequest);
}
