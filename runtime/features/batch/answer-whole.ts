import { errors } from '../../errors/catalogue.js';
import type { Answer, Service } from '../../http/service.js';
import { type ODataRequest, type WholeResponse, wholeResponse } from '../../protocol/message.js';
import { batchLimits } from './batch.js';

/** The bytes that the answers of a batch may still have together. */
export interface Room {
  bytes: number;
}

/** The room of a batch before its first answer. */
export function wholeRoom(): Room {
  return { bytes: batchLimits.answers };
}

/**
 * Answers a request of a batch with its complete body. A read for which there is no room is rejected, because the
 * answers of a batch are in memory together; the answer to a change that has been made is not.
 */
export async function answerWhole(
  request: ODataRequest,
  service: Service,
  { answer, room }: { readonly answer: Answer; readonly room: Room },
): Promise<WholeResponse> {
  const isRead = request.method === 'GET' || /\/(\$|%24)query\/*$/i.test(request.path);
  let taken = 0;
  const take = (bytes: number): void => {
    taken += bytes;
    room.bytes -= bytes;
    if (isRead && room.bytes < 0) throw errors.limitExceeded(tooMuch);
  };
  try {
    take(0);
    return await wholeResponse(await answer(request, service), take);
  } catch (failure) {
    room.bytes += taken;
    throw failure;
  }
}

const tooMuch = `The answers of a batch may have at most ${batchLimits.answers / 1024 / 1024} MiB together; send this request by itself.`;
