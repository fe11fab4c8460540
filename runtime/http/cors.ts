import type { RequestHandler, Response } from 'express';

/** The origins whose pages may read answers: `*` for all, which tokens in headers make harmless, or a list. */
export type CorsOrigins = '*' | readonly string[];

// What a script may read of an answer, and what it may send (WHATWG Fetch, 3.3).
const exposed = [
  'OData-Version', 'OData-EntityId', 'EntityId', 'ETag', 'Location', 'Preference-Applied', 'Allow', 'Content-Language', 'Retry-After',
  'RateLimit', 'RateLimit-Policy', 'Repeatability-Result', 'WWW-Authenticate', 'X-Request-Id',
].join(', ');
const allowedHeaders = [
  'Authorization', 'Accept', 'Content-Type', 'OData-Version', 'OData-MaxVersion', 'OData-Isolation', 'Isolation', 'Prefer', 'If-Match', 'If-None-Match',
  'Repeatability-Request-ID', 'Repeatability-First-Sent', 'Repeatability-Client-ID', 'X-CSRF-Token', 'X-Request-Id',
].join(', ');
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Lets pages of other origins in; a preflight is answered here, since browsers send it without a token. */
export function corsHandler(origins: CorsOrigins): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined) return next();
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (origins !== '*') response.vary('Origin');
    if (origins === '*' || origins.includes(origin)) admit(response, origins === '*' ? '*' : origin, isPreflight);
    if (!isPreflight) return next();
    response.status(204).end();
  };
}

function admit(response: Response, origin: string, isPreflight: boolean): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  if (!isPreflight) return void response.setHeader('Access-Control-Expose-Headers', exposed);
  response.setHeader('Access-Control-Allow-Methods', allowedMethods);
  response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
  response.setHeader('Access-Control-Max-Age', '7200');
}
