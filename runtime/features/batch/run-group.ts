import { failureResponse } from '../../http/respond.js';
import type { Store } from '../../store/store.js';
import { withoutEnd, type Connection } from '../../sql/statement.js';
import type { BatchUnit } from './batch.js';
import { isSuccess, type Outcome, type Outcomes } from './outcomes.js';
import { failedDependency, runPartWithin, type BatchRun } from './run-part.js';

/** Runs a group in one transaction, which commits only if all its requests succeed. */
export async function runGroup(unit: BatchUnit, run: BatchRun): Promise<readonly Outcome[]> {
  try {
    return await run.service.store.transaction(
      (connection) => runWithin(unit, { ...run, service: { ...run.service, store: storeOver(connection) } }),
      run.request.recipient,
    );
  } catch (failure) {
    if (failure instanceof GroupFailed)
      return unit.parts.map((part) =>
        part === failure.outcome.part ? failure.outcome : failedDependency(part, run, 'another request of its group failed'),
      );
    const response = failureResponse(failure, run.request, run.service);
    return unit.parts.map((part) => ({ part, response, path: '' }));
  }
}

/** Carries the answer of the failed request out of the rolled-back transaction. */
class GroupFailed extends Error {
  constructor(readonly outcome: Outcome) {
    super('A request of an atomicity group failed.');
  }
}

// The transaction may be retried, so outcomes of the first attempt must not be visible to the second.
async function runWithin({ parts }: BatchUnit, run: BatchRun): Promise<readonly Outcome[]> {
  const outcomes: Outcomes = { parts: new Map(run.outcomes.parts), groups: run.outcomes.groups };
  for (const part of parts) {
    const outcome = await runPartWithin(part, { ...run, outcomes });
    if (!isSuccess(outcome.response)) throw new GroupFailed(outcome);
    outcomes.parts.set(part.id, outcome);
  }
  return parts.flatMap(({ id }) => outcomes.parts.get(id) ?? []);
}

function storeOver(connection: Connection): Store {
  const within = withoutEnd(connection);
  return { read: (work) => work(within), transaction: (work) => work(within) };
}
