import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import { documentResponse, servedDocument, type ServedDocument } from '../../http/document.js';
import type { Outside, Site } from '../../http/outside.js';
import type { Service } from '../../http/service.js';
import { tokenPath } from '../../http/token-endpoint.js';
import { type Caller, scopesOf } from '../../plan/caller.js';
import type { ODataRequest } from '../../protocol/message.js';
import { notAllowed } from '../../protocol/routes.js';
import type { DocumentOptions, Version } from './build-document.js';
import type { Json } from './json-document.js';

/** The path of the document, and that of the documents of single sets. */
const whole = '/openapi.json';
const ofSet = /^\/openapi\/([^/]+)\.json$/;

// Loaded for the first document: most processes answer none.
type Builder = typeof import('./build-document.js');

const headers = { 'Content-Type': 'application/json;charset=utf-8', 'Cache-Control': 'no-cache', Vary: 'Authorization' };

/** How many documents are kept; each is of one version, selection and combination of scopes. */
const mostKept = 16;

/** Serves the OpenAPI documents of a service. */
export function openApi({ rootPath, pages, basic = false }: Site): Outside {
  const kept = new Map<string, ServedDocument>();
  return {
    paths: [whole],
    folders: ['/openapi/'],
    isGuarded: true,
    answer: async (request, service) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed(request.method, ['GET', 'HEAD']);
      const caller = await readerOf(request, service, pages.has('docs'));
      const builder = await import('./build-document.js');
      const { root, readOnly = false } = service;
      const options = { ...selectionOf(request, service, builder), caller, readOnly, basic, root, tokenUrl: tokenUrl(service, rootPath) };
      return documentResponse(request, keptDocument(options, service, kept, builder));
    },
  };
}

// Where the model is public, a request without a token sees all of it.
async function readerOf(request: ODataRequest, { authenticate, publicMetadata, container }: Service, isPublic: boolean): Promise<Caller> {
  const authorization = request.header('authorization');
  const known = scopesOf(container);
  if (authorization === undefined && (isPublic || publicMetadata)) return { subject: '', scopes: known };
  const { scopes, ...caller } = await authenticate(authorization);
  return { ...caller, scopes: new Set([...known].filter((scope) => scopes.has(scope))) };
}

function selectionOf({ path, query }: ODataRequest, { container }: Service, builder: Builder): Pick<DocumentOptions, 'version' | 'sets'> {
  const { setsOf, versions } = builder;
  const version = versionOf(query, versions);
  if (path === whole) return { version };
  const [, name = ''] = ofSet.exec(path) ?? [];
  const known = setsOf(container);
  const set = known.find((one) => encodeURIComponent(one) === name);
  if (set === undefined) throw errors.notFound('document at this address', suggestion(name, known));
  return { version, sets: [set] };
}

function versionOf(query: string, versions: readonly Version[]): Version {
  const options = new URLSearchParams(query);
  const version = options.get('version') ?? versions[0];
  const known = versions.find((one) => one === version);
  if (known === undefined || [...options.keys()].some((name) => name !== 'version'))
    throw errors.badOption(`The only option is version, which is ${versions.join(' or ')}.`);
  return known;
}

function tokenUrl({ root }: Service, rootPath: string): string {
  return `${root.slice(0, -rootPath.length)}${tokenPath}`;
}

function keptDocument(options: DocumentOptions, service: Service, kept: Map<string, ServedDocument>, builder: Builder): ServedDocument {
  const { buildDocument } = builder;
  const { version, sets, caller } = options;
  const key = JSON.stringify([version, sets, ...caller.scopes]);
  const text = (): string => JSON.stringify(buildDocument(service.container, metadataOf(service), options));
  const document = kept.get(key) ?? servedDocument(text(), headers);
  // The last one used is the last one to go.
  kept.delete(key);
  kept.set(key, document);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return document;
}

function metadataOf({ metadata }: Service): Json {
  return JSON.parse(metadata.json.bytes.toString('utf8')) as Json;
}
