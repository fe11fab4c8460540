import { type SampleNames, withNames } from './sample-names.js';
import { shortened } from './suggest.js';

/** One fault of a request, as in the `details` of an OData error. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
}

/** Where in a request an error is: `at` counts UTF-16 code units of the decoded text from 1, `length` from there. */
export interface ErrorPosition {
  /** The query option, the parameter alias, `resource path`, or `body`. */
  readonly option: string;
  readonly at: number;
  /** 0 where something is missing at the end. */
  readonly length: number;
  /** The JSON pointer (RFC 6901) of the value in a body. */
  readonly pointer?: string;
}

/** A node of a syntax tree, with its offset from 0; what is read without a tree names its option. */
export interface Node {
  readonly at?: number;
  readonly option?: string;
}

/** An error of the catalogue with its arguments, as it is thrown. */
export class ODataError extends Error {
  override readonly name = 'ODataError';
  /** The node that was parsed or planned when the error was thrown. */
  node?: Node;
  position?: ErrorPosition;

  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
    readonly target?: string,
    readonly details?: readonly ErrorDetail[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** The same error, with the query option, property or header that caused it. */
  at(target: string): ODataError {
    return this.#copy(new ODataError(this.code, this.status, this.message, target, this.details, this.headers));
  }

  /** The same error with details, one for each fault. */
  with(details: readonly ErrorDetail[]): ODataError {
    return this.#copy(new ODataError(this.code, this.status, this.message, this.target, details, this.headers));
  }

  /** The same error with response headers, for example `Allow`. */
  withHeaders(headers: Readonly<Record<string, string>>): ODataError {
    return this.#copy(new ODataError(this.code, this.status, this.message, this.target, this.details, { ...this.headers, ...headers }));
  }

  /** The error, at a node of a syntax tree unless an inner stage has placed it. */
  in(node: Node | undefined): this {
    if (node?.at !== undefined) this.node ??= node;
    return this;
  }

  #copy(copy: ODataError): ODataError {
    if (this.node) copy.node = this.node;
    if (this.position) copy.position = this.position;
    return copy;
  }

  /** The error as a detail of another one. */
  asDetail(target = this.target): ErrorDetail {
    return { code: this.code, message: this.message, ...(target !== undefined && { target }) };
  }
}

/** Runs a stage for a node of a syntax tree: an error without a node gets this one, the innermost. */
export function located<Result>(node: Node | undefined, stage: () => Result): Result {
  try {
    return stage();
  } catch (error) {
    throw error instanceof ODataError ? error.in(node) : error;
  }
}

interface ErrorBody {
  readonly requestId: string;
  /** Names of the model for the examples in messages. */
  readonly names?: (() => Partial<SampleNames>) | undefined;
  /** The address that explains the error. */
  readonly help?: string | undefined;
}

/** The body of an error (JSON format 21.1); `innererror` holds the request's id and no internals. */
export function renderError(error: ODataError, { requestId, names, help }: ErrorBody): string {
  const { code, message, target, details, position } = error;
  const rendered = (one: Omit<ErrorDetail, 'code'>): Omit<ErrorDetail, 'code'> => ({
    message: shortened(withNames(one.message, names)),
    ...(one.target !== undefined && { target: shortened(one.target) }),
  });
  return JSON.stringify({
    error: {
      code,
      ...rendered({ message, ...(target !== undefined && { target }) }),
      ...(details !== undefined && { details: details.map((detail) => ({ code: detail.code, ...rendered(detail) })) }),
      innererror: { requestId, ...(position && { position }), ...(help !== undefined && { help }) },
    },
  });
}
