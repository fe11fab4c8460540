import type { WholeResponse } from '../protocol/message.js';
import type { BatchPart, BatchUnit } from './batch.js';

/** What became of a part. */
export interface Outcome {
  readonly part: BatchPart;
  readonly response: WholeResponse;
  /** The address that a reference to the part stands for, beneath the service root: `/Property('Draft7')`. */
  readonly path: string;
}

/** What became of a batch so far, by the ids of its parts; groups are known by their names too. */
export interface Outcomes {
  readonly parts: Map<string, Outcome>;
  readonly groups: Map<string, boolean>;
}

/** Nothing has been carried out yet. */
export function noOutcomes(): Outcomes {
  return { parts: new Map(), groups: new Map() };
}

/** Whether an answer says that its request was carried out. */
export function isSuccess({ status }: WholeResponse): boolean {
  return status < 400;
}

/** Keeps what became of a unit. */
export function addOutcomes({ parts, groups }: Outcomes, { group }: BatchUnit, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) parts.set(outcome.part.id, outcome);
  if (group !== undefined)
    groups.set(
      group,
      outcomes.every(({ response }) => isSuccess(response)),
    );
}

/** Whether a part or a group of that name was carried out. */
export function hasSucceeded({ parts, groups }: Outcomes, name: string): boolean {
  const outcome = parts.get(name);
  return groups.get(name) ?? (outcome !== undefined && isSuccess(outcome.response));
}
