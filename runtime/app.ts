import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { limitUnderWay, respond } from './http/respond.js';
import { withBasic } from './http/basic.js';
import { compressing } from './http/compress.js';
import { corsHandler, type CorsOrigins } from './http/cors.js';
import type { OperationsHandler, Surroundings } from './http/express-adapter.js';
import { handlerByPath, handlerOf, inTurn, notFoundHandler, operationsMiddleware } from './http/express-adapter.js';
import { httpLimits, type ODataRequest, type WholeResponse } from './protocol/message.js';
import type { Outside } from './http/outside.js';
import type { Answer, Observer, Service } from './http/service.js';
import { tokenPath } from './http/token-endpoint.js';

/** The path of the service root. */
export const rootPath = '/odata';

/** The settings of the web server. */
export interface AppSettings {
  /** Limits the requests of a token (`http/limit-rate.ts`); any number by default. */
  readonly limit?: (surroundings: Surroundings) => RequestHandler;
  /** Concurrent requests; unlimited by default. */
  readonly maxRequests?: number;
  /** The origins of other pages that may call the service; none by default. */
  readonly corsOrigins?: CorsOrigins;
  /** Proxies whose `X-Forwarded-For` is trusted, by address or network. */
  readonly trustedProxies?: readonly string[];
  readonly compression?: boolean;
  /** Whether the name and secret of a client are accepted by Basic. */
  readonly basic?: boolean;
  readonly observer?: Observer;
  /** Answers the token endpoint. */
  readonly tokens?: (request: ODataRequest) => Promise<WholeResponse>;
  /** Answers health and metrics addresses, where they are on this port. */
  readonly operations?: OperationsHandler;
  /** Adds work of a feature to every request of the service. */
  readonly around?: (answer: Answer) => Answer;
  /** The answers of features outside of the service root. */
  readonly outsides?: readonly Outside[];
}

/** The Express application without its service, which requires the listening address. */
export function createApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  // Hashing every body would cost more than it saves: entities have their own ETags.
  app.set('etag', false);
  app.set('query parser', false);
  // A path that a proxy protects must not be reachable by another spelling.
  app.set('case sensitive routing', true);
  return app;
}

/** Mounts a service with one handler at the service root, since paths are parsed by the model and not by routes. */
export function mountService(app: Express, service: Service, settings: AppSettings): void {
  const { trustedProxies = [], observer = {}, tokens, operations, outsides = [], around = (answer) => answer } = settings;
  if (trustedProxies.length > 0) app.set('trust proxy', [...trustedProxies]);
  const surroundings = { service, observer };
  const limit = settings.limit ? [settings.limit(surroundings)] : [];
  const limited = limitUnderWay(around(observer.respond ?? respond), settings.maxRequests ?? Infinity);
  const identified = settings.basic ? withBasic(limited) : limited;
  const odata = handlerOf({ root: rootPath, answer: settings.compression ? compressing(identified) : identified }, surroundings);
  const guard = inTurn([corsHandler(settings.corsOrigins ?? []), ...limit]);
  const compressed = outsides.map((outside) => (settings.compression ? { ...outside, answer: compressing(outside.answer) } : outside));
  app.use(handlerByPath({ rootPath, odata, outsides: compressed, guard }, surroundings));
  if (limit.length > 0) app.use(tokenPath, limit);
  if (tokens !== undefined) app.use(tokenPath, handlerOf({ root: '', answer: tokens }, surroundings));
  if (operations !== undefined) app.use(operationsMiddleware(operations, service));
  app.use(notFoundHandler(surroundings));
}

/**
 * A server whose requests and responses are created with Express's prototypes. Express would set them on every request,
 * which makes later property accesses slow: half of the cost of a small answer.
 */
export function createAppServer(app: Express, options: ServerOptions): Server {
  const classes = { IncomingMessage: bornWith(IncomingMessage, app.request), ServerResponse: bornWith(ServerResponse, app.response) };
  const server = createServer({ ...options, ...classes } as ServerOptions, app);
  server.maxHeadersCount = httpLimits.headerLines;
  // Without a listener Node answers such an Expect itself, without a body.
  return server.on('checkExpectation', app);
}

// Node's constructors are functions; Reflect.construct would work as well, but costs more than Express saves.
function bornWith(base: new (...args: never[]) => object, prototype: object): unknown {
  const initialize = base as unknown as (this: object, first: unknown, second: unknown) => void;
  function Born(this: object, first: unknown, second: unknown): void {
    initialize.call(this, first, second);
  }
  Born.prototype = prototype;
  // V8 reserves space by the properties of a constructor and its base; without it the object becomes a dictionary.
  Object.setPrototypeOf(Born, base);
  return Born;
}
