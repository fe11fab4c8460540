import { readFile } from 'node:fs/promises';
import { errors } from '../../errors/catalogue.js';
import { documentResponse, servedDocument, type ServedDocument } from '../../http/document.js';
import { type Outside, registerOutside, type Site } from '../../http/outside.js';
import { policyHeader } from '../../protocol/connection.js';
import type { ODataRequest, WholeResponse } from '../../protocol/message.js';
import { parseAccept } from '../../protocol/negotiate.js';
import { notAllowed } from '../../protocol/routes.js';
import { pageFiles, pageFolders, type PageFile } from './folders.js';

/** Scripts, styles and requests of the page's own origin, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The address of the service in files, until it is known. */
const placeholder = /https:\/\/service\.example(?![\w.-])/g;

/** Registers the pages. */
export function registerPages(): void {
  registerOutside(homePage);
  registerOutside(pages);
}

/** Leads browsers from the root and the service root to the first folder of pages. */
export function homePage(site: Site): Outside | undefined {
  const [first] = shownPaths(pageFiles(site));
  if (first === undefined) return undefined;
  return {
    paths: ['/', site.rootPath, `${site.rootPath}/`],
    replaces: isBrowser,
    home: `${first}/`,
    answer: ({ path }) => Promise.resolve(redirect(path, `${first}/`, { Vary: 'Accept, Authorization' })),
  };
}

function shownPaths(files: ReadonlyMap<string, PageFile>): readonly string[] {
  return pageFolders.map(({ path }) => path).filter((path) => files.has(`${path}/`));
}

/** Serves the folders of pages that a site shows. */
export function pages(site: Site): Outside | undefined {
  const files = pageFiles(site);
  const paths = shownPaths(files);
  const [first] = paths;
  if (first === undefined) return undefined;
  const known = new Map<PageFile, ServedDocument>();
  return {
    paths,
    folders: paths.map((path) => `${path}/`),
    answer: async (request, service) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed(request.method, ['GET', 'HEAD']);
      if (paths.includes(request.path)) return redirect(request.path, `${request.path}/`);
      const page = files.get(request.path);
      if (page === undefined) throw errors.notFound('page at this address', ` The pages begin at ${first}/.`);
      const document = known.get(page) ?? (await readPage(page, service.root.slice(0, -site.rootPath.length)));
      known.set(page, document);
      return documentResponse(request, document, { 'Content-Type': page.type, [policyHeader]: policy, 'Cache-Control': 'no-cache' });
    },
    ...(files.has('/docs/errors.html') && { helpFor: (code: string) => `/docs/errors.html#${code}` }),
  };
}

// A client of the service has a token, or accepts JSON or XML only.
function isBrowser({ method, query, header }: ODataRequest): boolean {
  const [range] = parseAccept(header('accept') ?? '');
  return (method === 'GET' || method === 'HEAD') && query === '' && header('authorization') === undefined && range?.type === 'text/html';
}

// Relative, because a proxy may serve everything under another path.
function redirect(from: string, to: string, headers: Readonly<Record<string, string>> = {}): WholeResponse {
  const up = '../'.repeat(from.split('/').length - 2);
  return { status: 302, headers: { Location: `${up}${to.slice(1)}`, 'Cache-Control': 'no-cache', ...headers } };
}

async function readPage({ file, type }: PageFile, address: string): Promise<ServedDocument> {
  if (type.startsWith('image/png')) return servedDocument(await readFile(file));
  return servedDocument((await readFile(file, 'utf8')).replace(placeholder, () => address));
}
