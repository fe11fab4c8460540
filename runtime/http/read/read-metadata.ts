import type { EntityContainer } from '../../edm/entity-container.js';
import { jsonResponse, type ODataRequest, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson, negotiateMetadata, negotiateVersion, takes401 } from '../../protocol/negotiate.js';
import { requireMethod } from '../../protocol/routes.js';
import type { PayloadFormat } from '../../response/payload-format.js';
import { documentResponse, servedDocument, type ServedDocument, withHeaders } from '../document.js';
import { httpHooks } from '../hooks.js';
import type { Service } from '../service.js';
import { memoized } from '../../edm/memoized.js';

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
  return documentResponse(request, takes401(request) ? xmlAsWritten(document) : xmlIn40(document));
}

function respondWithJson(request: ODataRequest, document: ServedDocument): ODataResponse {
  return documentResponse(request, negotiateVersion(request) === '4.0' ? jsonIn40(document) : jsonIn401(document));
}

const xmlAsWritten = memoized((document: ServedDocument) => withHeaders(document, headersOf('xml', versionOf(textOf(document)))));
const xmlIn40 = memoized((document: ServedDocument) =>
  servedDocument(httpHooks.get('metadata40')(textOf(document)), headersOf('xml', '4.0')),
);
const jsonIn401 = memoized((document: ServedDocument) => withHeaders(document, headersOf('json', '4.01')));
const jsonIn40 = memoized((document: ServedDocument) =>
  servedDocument(textOf(document).replace('"$Version": "4.01"', '"$Version": "4.0"'), headersOf('json', '4.0')),
);

function headersOf(format: 'xml' | 'json', version: string): ServedDocument['headers'] {
  return { 'Content-Type': `application/${format}`, 'OData-Version': version, Vary: 'Accept, OData-MaxVersion' };
}

function versionOf(text: string): string {
  return /<[^>]*\bVersion\s*=\s*["']([^"']*)/.exec(text)?.[1] ?? '4.01';
}

function textOf({ bytes }: ServedDocument): string {
  return bytes.toString('utf8');
}

/** The service document. */
export function readService(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const negotiated = negotiateJson(request, format);
  return jsonResponse(200, renderService(service.container, service.root, negotiated), negotiated);
}

/** The service document (JSON format 5): the sets, singletons and function imports that the model lists (CSDL 4.01, 13.2, 13.6). */
function renderService(container: EntityContainer, root: string, format: PayloadFormat): string {
  const { entitySets, unlistedSets = [], singletons = {}, operationImports = {} } = container;
  const functions = Object.entries(operationImports).flatMap(([name, { listed: isListed }]) => (isListed ? [name] : []));
  const sets = Object.keys(entitySets).filter((name) => !unlistedSets.includes(name));
  const context = format.metadata === 'none' ? {} : { '@odata.context': `${root}/$metadata` };
  const value = [...listed(sets, 'EntitySet'), ...listed(Object.keys(singletons), 'Singleton'), ...listed(functions, 'FunctionImport')];
  return JSON.stringify({ ...context, value });
}

function listed(names: readonly string[], kind: string): readonly object[] {
  return names.map((name) => ({ name, kind, url: name }));
}
