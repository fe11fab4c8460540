import type { EntityContainer } from '../../edm/entity-container.js';
import { jsonResponse, type ODataRequest, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson, negotiateMetadata, negotiateVersion, takes401 } from '../../protocol/negotiate.js';
import { matchesETag } from '../../protocol/precondition.js';
import type { PayloadFormat } from '../../response/payload-format.js';
import { servedDocument, type ServedDocument, type Service } from '../service.js';

const mediaTypes = { xml: 'application/xml', json: 'application/json' } as const;

/** `/$metadata`, as XML unless JSON is requested; without plan and database. */
export function readMetadata(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const form = negotiateMetadata(request, format);
  const document = service.metadata[form];
  return respondWith(request, form === 'xml' && !takes401(request) ? inVersion40(document) : document, mediaTypes[form]);
}

const documents40 = new WeakMap<ServedDocument, ServedDocument>();

// A client of 4.0 rejects documents of later versions (CSDL XML 4.01, 3.1), and client generators, which send no
// version, support neither later versions nor an alias within its own schema.
function inVersion40(document: ServedDocument): ServedDocument {
  const known =
    documents40.get(document) ??
    servedDocument(withoutAliases(document.bytes.toString('utf8').replace(/(<edmx:Edmx [^>]*Version=")4\.01"/, '$14.0"')));
  documents40.set(document, known);
  return known;
}

function withoutAliases(text: string): string {
  const schemas = [...text.matchAll(/<Schema [^>]*>/g)].map(
    ([tag]) => [/ Alias="([^"]*)"/.exec(tag)?.[1], / Namespace="([^"]*)"/.exec(tag)?.[1]] as const,
  );
  return schemas.reduce(
    (before, [alias, namespace]) =>
      alias === undefined || namespace === undefined
        ? before
        : before.replaceAll(`="${alias}.`, `="${namespace}.`).replaceAll(`="Collection(${alias}.`, `="Collection(${namespace}.`),
    text,
  );
}

/** A vocabulary of the model, served next to `$metadata`. */
export function readVocabulary(request: ODataRequest, document: ServedDocument): ODataResponse {
  return respondWith(request, document, mediaTypes.xml);
}

/** The service document. */
export function readService(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const negotiated = negotiateJson(request, format);
  return jsonResponse(200, renderService(service.container, service.root, negotiated), negotiated);
}

function respondWith(request: ODataRequest, { bytes, etag }: ServedDocument, type: string): ODataResponse {
  const headers = { 'Content-Type': type, 'OData-Version': negotiateVersion(request), ETag: etag, Vary: 'Accept, OData-MaxVersion' };
  const known = request.header('if-none-match');
  if (known !== undefined && matchesETag(known, etag)) return { status: 304, headers };
  return { status: 200, headers, body: bytes };
}

/**
 * The service document (JSON format 5): entity sets, singletons and function imports by name and relative URL, as far
 * as the model lists them (CSDL 4.01, 13.2, 13.6).
 */
function renderService(
  { entitySets, unlistedSets = [], singletons = {}, operationImports = {} }: EntityContainer,
  root: string,
  format: PayloadFormat,
): string {
  const functions = Object.entries(operationImports).flatMap(([name, { listed: isListed }]) => (isListed ? [name] : []));
  const sets = Object.keys(entitySets).filter((name) => !unlistedSets.includes(name));
  const context = format.metadata === 'none' ? {} : { '@odata.context': `${root}/$metadata` };
  const value = [...listed(sets, 'EntitySet'), ...listed(Object.keys(singletons), 'Singleton'), ...listed(functions, 'FunctionImport')];
  return JSON.stringify({ ...context, value });
}

function listed(names: readonly string[], kind: string): readonly object[] {
  return names.map((name) => ({ name, kind, url: name }));
}
