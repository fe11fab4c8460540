import { type WholeResponse, type ODataRequest, wholeResponse } from '../../protocol/message.js';
import { errors } from '../../errors/catalogue.js';
import type { Answer, Service } from '../../http/service.js';

/** One request of a batch, from either format. */
export interface BatchPart {
  /** Its id in JSON, its Content-ID in multipart; parts without one get a name that no reference can contain. */
  readonly id: string;
  /** Whether the client gave the id, which the answer then repeats. */
  readonly named: boolean;
  readonly method: string;
  /** The URL as sent: absolute, from the host's root, relative, or with a reference as its first segment. */
  readonly url: string;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: Uint8Array;
  /** Parts and groups that must have succeeded. */
  readonly dependsOn: readonly string[];
  /** The text of `if`, which replaces `dependsOn` as the condition. */
  readonly condition?: string;
}

/** A single request, or an atomicity group, which multipart calls a change set. */
export interface BatchUnit {
  readonly group?: string;
  readonly parts: readonly BatchPart[];
  /** Units that are executed before it; those of multipart run in order. */
  readonly after: readonly BatchUnit[];
}

/** A whole batch. */
export interface Batch {
  readonly units: readonly BatchUnit[];
  /** Whether execution continues after a failure by default. */
  readonly continues: boolean;
}

/** A control character cannot come from a client, whose ids are visible text. */
export function unnamed(index: number): string {
  return `\u0000${index}`;
}

/** Whether a body of the media type, without its parameters, is JSON in a JSON batch (JSON format 19.1). */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

/** The most parts of a batch, its size and that of its answers in bytes, and its concurrent requests. */
export const batchLimits = { parts: 100, bytes: 4 * 1024 * 1024, answers: 32 * 1024 * 1024, parallel: 4 } as const;

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
  const succeeded = outcomes.every(({ response }) => isSuccess(response));
  if (group !== undefined) groups.set(group, succeeded);
}

/** Whether the part or group with the name succeeded. */
export function hasSucceeded({ parts, groups }: Outcomes, name: string): boolean {
  const outcome = parts.get(name);
  return groups.get(name) ?? (outcome !== undefined && isSuccess(outcome.response));
}

/** The bytes that the answers of a batch may still have together. */
export interface Room {
  bytes: number;
}

/** The room of a batch before its first answer. */
export function wholeRoom(): Room {
  return { bytes: batchLimits.answers };
}

/**
 * Answers a request of a batch with its complete body. A read for which there is no room is rejected, because the
 * answers of a batch are in memory together; the answer to a change that has been made is not.
 */
export async function answerWhole(
  request: ODataRequest,
  service: Service,
  { answer, room }: { readonly answer: Answer; readonly room: Room },
): Promise<WholeResponse> {
  const isRead = request.method === 'GET' || /\/(\$|%24)query\/*$/i.test(request.path);
  let taken = 0;
  const take = (bytes: number): void => {
    taken += bytes;
    room.bytes -= bytes;
    if (isRead && room.bytes < 0) throw errors.limitExceeded(tooMuch);
  };
  try {
    take(0);
    return await wholeResponse(await answer(request, service), take);
  } catch (failure) {
    room.bytes += taken;
    throw failure;
  }
}

const tooMuch = `The answers of a batch may have at most ${batchLimits.answers / 1024 / 1024} MiB together; send this request by itself.`;
