import type { ODataError } from './odata-error.js';
import { withNames, type SampleNames } from './sample-names.js';

/** The body of an error (JSON format 21.1); `innererror` holds the request's id and no internals. */
export function renderError(error: ODataError, requestId: string, names?: () => Partial<SampleNames>): string {
  const { code, message, target, details } = error;
  return JSON.stringify({
    error: {
      code,
      message: withNames(message, names),
      ...(target !== undefined && { target }),
      ...(details !== undefined && { details: details.map((detail) => ({ ...detail, message: withNames(detail.message, names) })) }),
      innererror: { requestId },
    },
  });
}
