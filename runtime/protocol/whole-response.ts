import { isWhole, type ODataResponse, type WholeResponse } from './message.js';

/** An answer with its complete body, as a batch needs it; throws a failure of the stream. */
export async function wholeResponse(response: ODataResponse): Promise<WholeResponse> {
  if (isWhole(response)) return response;
  return { ...response, body: Buffer.concat((await response.body.toArray()) as Buffer[]) };
}
