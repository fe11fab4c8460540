import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { isBasic } from '../identity/basic.js';
import type { ODataRequest, ODataResponse } from '../protocol/message.js';
import { errorResponse } from './respond.js';
import type { Answer } from './service.js';

/** Accepts Basic where the network does not see it, and offers it there in each 401 (RFC 7617, 2). */
export function withBasic(answer: Answer): Answer {
  return async (request, service) => {
    const refused = isBasic(request.header('authorization')) ? refusalOfBasic(request) : undefined;
    if (refused !== undefined) return errorResponse(refused, request);
    const response = await answer(request, service);
    return response.status === 401 && request.isPrivate?.() ? offering(response) : response;
  };
}

// Browsers send Basic with requests that other pages make, as they do with cookies.
function refusalOfBasic({ isPrivate, header }: ODataRequest): ODataError | undefined {
  if (!isPrivate?.()) return errors.basicInTheClear().withHeaders({ 'WWW-Authenticate': 'Bearer realm="gable"' });
  return ['cross-site', 'same-site'].includes(header('sec-fetch-site') ?? '') ? errors.basicOfOtherPage() : undefined;
}

// Basic comes first, because some clients look at the first challenge only.
function offering<Response extends ODataResponse>(response: Response): Response {
  const others = response.headers['WWW-Authenticate'];
  const challenge = ['Basic realm="gable", charset="UTF-8"', ...(others === undefined ? [] : [others])].join(', ');
  return { ...response, headers: { ...response.headers, 'WWW-Authenticate': challenge } };
}
