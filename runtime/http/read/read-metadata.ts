import type { EntityContainer } from '../../edm/entity-container.js';
import { jsonResponse, type ODataRequest, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson, negotiateMetadata, negotiateVersion, takes401 } from '../../protocol/negotiate.js';
import { requireMethod } from '../../protocol/routes.js';
import type { PayloadFormat } from '../../response/payload-format.js';
import { documentResponse, servedDocument, type ServedDocument } from '../document.js';
import { httpHooks } from '../hooks.js';
import type { Service } from '../service.js';

const mediaTypes = { xml: 'application/xml', json: 'application/json' } as const;

/** `/$metadata`, as XML unless JSON is requested; without plan and database. */
export function readMetadata(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const form = negotiateMetadata(request, format);
  return form === 'xml' ? respondWithXml(request, service.metadata.xml) : respondWithJson(request, service.metadata.json);
}

/** A vocabulary of the model, served next to `$metadata`. */
export function readVocabulary(request: ODataRequest, document: ServedDocument): ODataResponse {
  requireMethod(request.method, ['GET']);
  return respondWithXml(request, document);
}

// A client of 4.0 rejects documents of later versions, and client generators, which send no version, support none
// either. The header names the version of the document (CSDL XML 4.01, 3.1).
function respondWithXml(request: ODataRequest, document: ServedDocument): ODataResponse {
  const { sent, version } = takes401(request) ? asWritten(document) : { sent: in40(document), version: '4.0' };
  return respondWith(request, sent, { type: mediaTypes.xml, version });
}

function respondWithJson(request: ODataRequest, document: ServedDocument): ODataResponse {
  const version = negotiateVersion(request);
  return respondWith(request, version === '4.0' ? jsonIn40(document) : document, { type: mediaTypes.json, version });
}

const asWritten = derived((sent) => ({ sent, version: /<[^>]*\bVersion\s*=\s*["']([^"']*)/.exec(textOf(sent))?.[1] ?? '4.01' }));
const in40 = derived((document) => servedDocument(httpHooks.get('metadata40')(textOf(document))));
const jsonIn40 = derived((document) => servedDocument(textOf(document).replace('"$Version": "4.01"', '"$Version": "4.0"')));

function textOf({ bytes }: ServedDocument): string {
  return bytes.toString('utf8');
}

// Derived once for each document, when it is first asked for.
function derived<T>(derive: (document: ServedDocument) => T): (document: ServedDocument) => T {
  const known = new WeakMap<ServedDocument, { readonly value: T }>();
  return (document) => {
    const found = known.get(document) ?? { value: derive(document) };
    known.set(document, found);
    return found.value;
  };
}

/** The service document. */
export function readService(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const negotiated = negotiateJson(request, format);
  return jsonResponse(200, renderService(service.container, service.root, negotiated), negotiated);
}

function respondWith(
  request: ODataRequest,
  document: ServedDocument,
  { type, version }: { readonly type: string; readonly version: string },
): ODataResponse {
  return documentResponse(request, document, { 'Content-Type': type, 'OData-Version': version, Vary: 'Accept, OData-MaxVersion' });
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
