import { errors } from '../errors/catalogue.js';
import { errorResponse, type Answer } from './respond.js';

/**
 * Answers at most so many requests at the same time, and refuses others at once: a queue that grows faster than it is
 * worked off helps nobody. An answer that is being sent no longer counts; a slow reader has limits of its own.
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
