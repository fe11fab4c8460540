import { ODataError } from '../../errors/odata-error.js';
import { nullPattern } from '../../plan/keyset-value.js';
import type { SkipToken } from '../../paging/skiptoken.js';
import type { Caller } from '../../plan/caller.js';
import type { RawOption } from '../../uri/query-options.js';
import { shapeOf, ParameterRecording, type RequestShape } from '../../uri/shape.js';
import type { Keeping, Service } from '../service.js';
import { openSkiptoken } from './links.js';
import type { ODataRequest } from '../../protocol/message.js';
import { planKey, type Prepared } from './plan-cache.js';
import type { Preferences } from '../../protocol/prefer.js';

/** A cached plan, or the recording under which a new one is cached. */
type ShapedRequest =
  | { readonly known: Prepared; readonly raw: readonly RawOption[]; readonly carried: string | undefined }
  | { readonly known?: undefined; readonly keeping: Keeping };

/** The cached plan for a request of the same shape; undefined for requests without a shape. */
export function findPlan(request: ODataRequest, caller: Caller, service: Service, preferences: Preferences): ShapedRequest | undefined {
  const { plans } = service;
  // Strict handling checks the options of each request.
  if (plans === undefined || preferences.strict || !isKept(request)) return undefined;
  if (preferences.trackChanges !== undefined || preferences.wait !== undefined) return undefined;
  const shape = shapeOrNone(request);
  if (shape === undefined) return undefined;
  const start = shape.skiptoken === undefined ? undefined : openSkiptoken(shape.skiptoken, { request, service, raw: shape.raw });
  const key = planKey(shape.text, caller, request.method, preferences.maxPageSize?.size, start && startShape(start));
  const known = plans.find(key, shape.literals, start?.after.map((value) => value ?? '') ?? []);
  if (known !== undefined) return { known, raw: shape.raw, carried: start?.carried };
  const recording = new ParameterRecording(shape);
  return { keeping: { recording, firstFreeParameter: shape.literals.length, keep: (plan) => plans.add(key, recording, plan) } };
}

// The address of an entity set or of one of its entities.
const plainPath = /^\/\w+(?:\([^/]*\))?$/;
const writing: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

function isKept({ method, path, query }: ODataRequest): boolean {
  return method === 'GET' || (query === '' && writing.has(method) && plainPath.test(path));
}

// The parsers, which begin with the path, say what is wrong with a request that has no shape.
function shapeOrNone({ path, query }: ODataRequest): RequestShape | undefined {
  try {
    return shapeOf(path, query);
  } catch (failure) {
    if (failure instanceof ODataError) return undefined;
    throw failure;
  }
}

// A page after a null has another condition.
function startShape({ after, remaining }: SkipToken): string {
  return `${nullPattern(after)} ${remaining ?? ''}`;
}
