import type { RequestHandler, Response } from 'express';

/** The origins whose pages may read answers: `*` for all, which is harmless with tokens in headers, or a list. */
export type CorsOrigins = '*' | readonly string[];

// The headers that a script may read (WHATWG Fetch, 3.3).
// oxfmt-ignore
const exposed = [
  'OData-Version', 'Gable-Position', 'OData-EntityId', 'EntityId', 'ETag', 'Location', 'Preference-Applied', 'Allow',
  'Content-Language', 'Retry-After', 'Accept-Ranges', 'Content-Range', 'Content-Disposition', 'RateLimit', 'RateLimit-Policy',
  'Repeatability-Result', 'WWW-Authenticate', 'X-Request-Id',
].join(', ');
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Permits pages of other origins; preflights are answered here, since browsers send them without a token. */
export function corsHandler(origins: CorsOrigins): RequestHandler {
  const varies = origins !== '*' && origins.length > 0;
  return (request, response, next) => {
    const { origin } = request.headers;
    // The answer to a request without an Origin varies too: a cache would give it to a page (WHATWG Fetch, 3.2.7, "CORS
    // protocol and HTTP caches").
    if (origin === undefined) {
      // A header that is set before the head is written makes Node check all of them again.
      if (varies) response.locals['vary'] = 'Origin';
      return next();
    }
    if (varies) response.vary('Origin');
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (origins === '*' || origins.includes(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origins === '*' ? '*' : origin);
      if (isPreflight) allow(response, request.headers['access-control-request-headers']);
      else response.setHeader('Access-Control-Expose-Headers', exposed);
    }
    if (!isPreflight) return next();
    response.status(204).end();
  };
}

// Any header is allowed: access depends on origin and token, and clients send custom headers (UI5: sap-cancel-on-close,
// X-SAP-Security-Session). `*` would not do, since it excludes Authorization.
function allow(response: Response, requested: string | undefined): void {
  response.setHeader('Access-Control-Allow-Methods', allowedMethods);
  response.setHeader('Access-Control-Max-Age', '7200');
  response.vary('Access-Control-Request-Headers');
  if (requested !== undefined) response.setHeader('Access-Control-Allow-Headers', requested);
}
