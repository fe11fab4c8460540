import express, { type Express } from 'express';
import { notFoundHandler, odataHandler } from './http/express-adapter.js';
import type { Service } from './http/service.js';

/** Path of the service root. */
export const rootPath = '/odata';

/** The Express application: one handler at the service root, since paths are parsed by the model and not by routes. */
export function createApp(service: Service): Express {
  const app = express();
  app.disable('x-powered-by');
  // Hashing every body would cost more than it saves: records carry ETags of their own.
  app.set('etag', false);
  app.set('query parser', false);
  app.use(rootPath, odataHandler(service, rootPath));
  app.use(notFoundHandler());
  return app;
}
