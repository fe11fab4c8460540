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
