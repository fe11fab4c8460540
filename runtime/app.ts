import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import express, { type Express } from 'express';
import { rateLimit, type RateLimitRequestHandler } from 'express-rate-limit';
import { corsHandler, type CorsOrigins } from './http/cors.js';
import { notFoundHandler, odataHandler, tooManyRequests } from './http/express-adapter.js';
import type { Service } from './http/service.js';

/** Path of the service root. */
export const rootPath = '/odata';

/** Settings of the web server's side. */
export interface AppSettings {
  /** Requests that one token may make in a minute; 0 for any number. */
  readonly requestsPerMinute: number;
  /** Without it no other origin's pages are let in. */
  readonly corsOrigins?: CorsOrigins;
}

/** The Express application without its service, which needs the address that the server listens on. */
export function createApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  // Hashing every body would cost more than it saves: records carry ETags of their own.
  app.set('etag', false);
  app.set('query parser', false);
  return app;
}

/** Mounts a service: one handler at the service root, since paths are parsed by the model and not by routes. */
export function mountService(app: Express, service: Service, settings: AppSettings): void {
  app.use(rootPath, corsHandler(settings.corsOrigins ?? []));
  if (settings.requestsPerMinute > 0) app.use(rootPath, limitRate(settings.requestsPerMinute));
  app.use(rootPath, odataHandler(service, rootPath));
  app.use(notFoundHandler());
}

/**
 * A server whose requests and responses are born with Express's prototypes. Express would set them on every request,
 * which makes every later property access slow: half of the cost of a small answer.
 */
export function createAppServer(app: Express, options: ServerOptions): Server {
  const classes = { IncomingMessage: bornWith(IncomingMessage, app.request), ServerResponse: bornWith(ServerResponse, app.response) };
  return createServer({ ...options, ...classes } as ServerOptions, app);
}

function bornWith(base: new (...args: never[]) => object, prototype: object): unknown {
  function Born(...args: never[]): object {
    return Reflect.construct(base, args, Born) as object;
  }
  Born.prototype = prototype;
  return Born;
}

// Per token, since all of a broker's clients may stand behind one address; those without a token share a count.
function limitRate(limit: number): RateLimitRequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request) => request.headers.authorization ?? '',
    handler: tooManyRequests(rootPath),
  });
}
