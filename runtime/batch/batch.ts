/** One request of a batch, as read from either format. */
export interface BatchPart {
  /** Its id in JSON, its Content-ID in multipart; parts without one get a name that no reference can have. */
  readonly id: string;
  /** Whether the client gave the id, and so gets it back. */
  readonly named: boolean;
  readonly method: string;
  /** As sent: absolute, from the host's root, relative, or with a reference as its first segment. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: Uint8Array;
  /** Parts and groups that must have succeeded. */
  readonly dependsOn: readonly string[];
  /** The text of `if`, which replaces that condition. */
  readonly condition?: string;
}

/** What succeeds or fails as one: a single request, or an atomicity group, which multipart calls a change set. */
export interface BatchUnit {
  readonly group?: string;
  readonly parts: readonly BatchPart[];
  /** Units that come before it; those of multipart come in their order. */
  readonly after: readonly BatchUnit[];
}

/** A whole batch. */
export interface Batch {
  readonly units: readonly BatchUnit[];
  /** Whether what follows a failure is carried out when the client does not say. */
  readonly continues: boolean;
}

/** Names of control characters cannot come from a client, whose ids are visible text. */
export function unnamed(index: number): string {
  return `\u0000${index}`;
}
