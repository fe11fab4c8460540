import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join, normalize } from 'node:path';

const source = join(dirname(createRequire(import.meta.url).resolve('@openui5/sap.ui.core/package.json')), 'src');
const types = { '.js': 'text/javascript', '.json': 'application/json', '.properties': 'text/plain', '.css': 'text/css' };
// The loader alone: no controls, no theme, nothing but the model and what it requires.
const page = `<!doctype html>
<meta charset="utf-8">
<title>UI5</title>
<script src="/resources/ui5loader.js"></script>
<script src="/resources/ui5loader-autoconfig.js"></script>
`;

/** Serves UI5 from its package, and an empty page that has its loader, from an origin that is not the service's. */
export async function serveUi5() {
  const server = createServer((request, response) => answer(new URL(request.url, 'http://localhost').pathname, response));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => new Promise((closed) => server.close(closed)) };
}

function answer(path, response) {
  if (path === '/') return response.setHeader('Content-Type', 'text/html').end(page);
  const file = join(source, normalize(path.replace(/^\/resources\//, '/')));
  if (!file.startsWith(source) || !existsSync(file)) return response.writeHead(404).end();
  response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
  return createReadStream(file).pipe(response);
}
