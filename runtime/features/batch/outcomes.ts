import type { WholeResponse } from '../../protocol/message.js';
import type { BatchPart, BatchUnit } from './batch.js';

/** The outcome of a part. */
export interface Outcome {
  readonly part: BatchPart;
  readonly response: WholeResponse;
  /** The path that a reference to the part resolves to, below the service root: `/Property('Draft7')`. */
  readonly path: string;
}

/** The outcomes of a batch so far, by the ids of its parts and the names of its groups. */
export interface Outcomes {
  readonly parts: Map<string, Outcome>;
  readonly groups: Map<string, boolean>;
}

/** The outcomes before the first part. */
export function noOutcomes(): Outcomes {
  return { parts: new Map(), groups: new Map() };
}

/** Whether a request succeeded. */
export function isSuccess({ status }: WholeResponse): boolean {
  return status < 400;
}

/** Adds the outcomes of a unit. */
export function addOutcomes({ parts, groups }: Outcomes, { group }: BatchUnit, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) parts.set(outcome.part.id, outcome);
  if (group !== undefined)
    groups.set(
      group,
      outcomes.every(({ response }) => isSuccess(response)),
    );
}

/** Whether the part or group with the name succeeded. */
export function hasSucceeded({ parts, groups }: Outcomes, name: string): boolean {
  const outcome = parts.get(name);
  return groups.get(name) ?? (outcome !== undefined && isSuccess(outcome.response));
}
