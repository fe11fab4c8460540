/** One attempt, for `onRequest`. */
export interface RequestInfo {
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  /** Absent if no response arrived. */
  readonly status: number | undefined;
  readonly milliseconds: number;
}

/** A token, or a function that returns the current one. */
export type Token = string | (() => string | Promise<string>);

/** How records have decimals and 64-bit numbers. */
export type NumberForm = 'number' | 'string';

/** The options of a client. */
export interface ClientOptions<Form extends NumberForm | undefined = 'number' | undefined> {
  /** The address of the service root; within a page it may be relative. */
  readonly baseUrl: string | URL;
  readonly token?: Token | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * `'string'` asks for decimals and 64-bit numbers as text, so that no digit is lost; types follow. By default they are
   * numbers, and one beyond 2^53 is a RangeError that names its property.
   */
  readonly decimals?: Form;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Tries after the first one; 2 by default. */
  readonly retries?: number | undefined;
  /**
   * Creates, updates and actions carry a Repeatability-Request-ID and are retried like reads. Only for services that
   * execute such a request once, as Gable does.
   */
  readonly repeatable?: boolean | undefined;
  /** Other origins to which links of the service may point; the token is sent there. */
  readonly origins?: readonly string[] | undefined;
  /** Called after every attempt. */
  readonly onRequest?: ((info: RequestInfo) => void) | undefined;
}

/** The options of one request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a change of an existing record. */
export interface ChangeOptions extends RequestOptions {
  /** Replaces the ETag that the record carries; `'*'` overwrites any state. */
  readonly etag?: string | undefined;
}

/** The options of reading pages. */
export interface FindOptions extends RequestOptions {
  /** Ends after so many records, or with the page that has them. */
  readonly limit?: number | undefined;
  /** The wanted size of pages. */
  readonly pageSize?: number | undefined;
  /** Whether the next page is requested while this one is used; true by default. */
  readonly ahead?: boolean | undefined;
}
