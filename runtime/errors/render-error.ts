import type { ODataError } from './odata-error.js';

/** The body of an error (JSON format 21.1); `innererror` holds the request's id and no internals. */
export function renderError(error: ODataError, requestId: string): string {
  const { code, message, target, details } = error;
  return JSON.stringify({
    error: {
      code,
      message,
      ...(target !== undefined && { target }),
      ...(details !== undefined && { details }),
      innererror: { requestId },
    },
  });
}
