import { type EntityExtension, Refusal } from '../edm/index.js';
import { memoized } from '../edm/memoized.js';
import { errors } from '../errors/catalogue.js';
import { asHandlerFailure } from '../database/failures.js';

const refusals = { 400: errors.refused, 403: errors.forbidden, 404: errors.missing, 409: errors.conflict } as const;

/** The error for a failure of hand-written code: for a refusal that of the response. */
export function failureOf(failure: unknown): unknown {
  if (!(failure instanceof Refusal)) return asHandlerFailure(failure);
  const { message, target, status } = failure;
  const error = refusals[status](message);
  return target === undefined ? error : error.at(target);
}

/** The extension with hooks that throw the errors of responses. */
export const refusing = memoized((extension: EntityExtension): EntityExtension => {
  const { assign, record, follow } = extension;
  return {
    ...extension,
    ...(assign && { assign: (change) => orRefused(() => assign(change)) }),
    ...(record && { record: (change) => orRefused(() => record(change)) }),
    ...(follow && { follow: (change, models) => follow(change, models).catch(rethrow) }),
  };
});

function orRefused<Result>(hook: () => Result): Result {
  try {
    return hook();
  } catch (failure) {
    return rethrow(failure);
  }
}

function rethrow(failure: unknown): never {
  throw failureOf(failure);
}
