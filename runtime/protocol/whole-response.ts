import { isWhole, type ODataResponse, type WholeResponse } from './message.js';

/** An answer with all of its body, as a batch needs it; a failure on the way to the end is thrown. */
export async function wholeResponse(response: ODataResponse): Promise<WholeResponse> {
  if (isWhole(response)) return response;
  return { ...response, body: Buffer.concat((await response.body.toArray()) as Buffer[]) };
}
