import { readFile } from 'node:fs/promises';
import { errors } from '../../errors/catalogue.js';
import { documentResponse, servedDocument, type ServedDocument } from '../../http/document.js';
import { type Outside, registerOutside, type Site } from '../../http/outside.js';
import { policyHeader } from '../../protocol/connection.js';
import type { ODataRequest, WholeResponse } from '../../protocol/message.js';
import { parseAccept } from '../../protocol/negotiate.js';
import { notAllowed } from '../../protocol/routes.js';
import { readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

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
      const home = paths.find((path) => request.path.startsWith(`${path}/`)) ?? first;
      if (page === undefined) throw errors.notFound('page at this address', ` The pages begin at ${home}/.`);
      const document = known.get(page) ?? (await readPage(page, service.root.slice(0, -site.rootPath.length)));
      known.set(page, document);
      return documentResponse(request, document);
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
  const headers = { 'Content-Type': type, [policyHeader]: policy, 'Cache-Control': 'no-cache' };
  if (type.startsWith('image/png')) return servedDocument(await readFile(file), headers);
  return servedDocument(
    (await readFile(file, 'utf8')).replace(placeholder, () => address),
    headers,
  );
}

interface PageFolder {
  /** Its path, and the name of its setting. */
  readonly path: string;
  readonly setting: string;
  readonly folder: (site: Site) => string | undefined;
}

// Compiled code runs from `dist`.
const explorer = fileURLToPath(new URL('../../../explorer/site', import.meta.url));

// oxfmt-ignore
/** The folders of pages; one that does not exist is not served. */
const pageFolders: readonly PageFolder[] = [
  { path: '/docs', setting: 'docs', folder: ({ built }) => built && join(built, 'docs') },
  { path: '/explorer', setting: 'explorer', folder: () => explorer },
];

interface PageFile {
  readonly file: string;
  readonly type: string;
}

/** Every file of the folders that a site shows, by its percent-encoded path; `index.html` has that of its folder, too. */
function pageFiles(site: Site): ReadonlyMap<string, PageFile> {
  const shown = pageFolders.filter(({ setting }) => site.pages.has(setting));
  return new Map(shown.flatMap(({ path, folder }) => filesOf(folder(site), path)));
}

function filesOf(folder: string | undefined, path: string): readonly (readonly [path: string, file: PageFile])[] {
  if (folder === undefined) return [];
  return namesIn(folder).flatMap((name) => {
    const type = types[extname(name)];
    const paths = name === 'index.html' ? ['', name] : [encodeURI(name)];
    return type === undefined ? [] : paths.map((each) => [`${path}/${each}`, { file: join(folder, name), type }] as const);
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw failure;
  }
}

// oxfmt-ignore
const types: { readonly [extension: string]: string | undefined } = {
  '.html': 'text/html;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.js': 'text/javascript;charset=utf-8',
  '.json': 'application/json;charset=utf-8',
  '.txt': 'text/plain;charset=utf-8',
  '.http': 'text/plain;charset=utf-8',
  '.pq': 'text/plain;charset=utf-8',
  '.odc': 'text/x-ms-odc;charset=utf-8',
  '.svg': 'image/svg+xml;charset=utf-8',
  '.png': 'image/png',
};
