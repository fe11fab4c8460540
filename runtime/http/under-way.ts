import { errors } from '../errors/catalogue.js';
import { errorResponse } from './respond.js';
import type { Answer } from './service.js';

/**
 * Limits concurrent requests and rejects the rest without queueing: an overloaded queue only grows. An answer that is
 * being sent no longer counts; slow clients have separate limits.
 */
export function limitUnderWay(answer: Answer, limit: number): Answer {
  let underWay = 0;
  return async (request, service) => {
    if (underWay >= limit) return errorResponse(errors.overloaded(limit), request);
    underWay += 1;
    try {
      return await answer(request, service);
    } finally {
      underWay -= 1;
    }
  };
}
