/** A request as the stages see it; nothing of the web framework is in it. */
export interface ODataRequest {
  readonly method: string;
  /** What follows the service root, still percent-encoded. */
  readonly path: string;
  /** What follows `?`, still percent-encoded; empty when there is none. */
  readonly query: string;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Reads the body, at most as many bytes as the limit says; by default that of a single request. */
  readonly body: (limit?: number) => Promise<Uint8Array>;
  readonly id: string;
  /** Of a request in a batch: the path that a reference such as `$1` stands for. */
  readonly resolve?: (reference: string) => string | undefined;
}

/** An answer; the body is text or absent. */
export interface ODataResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
