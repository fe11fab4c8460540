import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import { answer } from './dispatch.js';
import type { Answer, Service } from './service.js';

/** A kind of request that a feature answers in place of the dispatcher; its path or a header identifies it. */
export interface RequestKind {
  readonly path?: RegExp;
  /** Name of the header, in lower case. */
  readonly header?: string;
  /** The methods that the header has a meaning for; all when absent. */
  readonly methods?: ReadonlySet<string>;
  /** Answers the request; `next` answers it, or the requests that it consists of, without this kind. */
  readonly answer: (request: ODataRequest, service: Service, next: Answer) => Promise<ODataResponse>;
}

const kinds: RequestKind[] = [];

/** Adds a kind of request. Kinds that were added earlier come first. */
export function registerRequestKind(kind: RequestKind): void {
  if (!kinds.includes(kind)) kinds.push(kind);
}

/** Answers a request by the first kind that it is of, or else by the dispatcher. */
export function answerRequest(request: ODataRequest, service: Service, first = 0): Promise<ODataResponse> {
  for (let at = first; at < kinds.length; at += 1) {
    const kind = kinds[at];
    if (kind !== undefined && isOf(kind, request))
      return kind.answer(request, service, (inner, innerService) => answerRequest(inner, innerService, at + 1));
  }
  return answer(request, service);
}

function isOf({ path, header, methods }: RequestKind, request: ODataRequest): boolean {
  if (path !== undefined) return path.test(request.path);
  return header !== undefined && request.header(header) !== undefined && (methods?.has(request.method) ?? true);
}
