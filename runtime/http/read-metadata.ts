import { renderService } from '../response/render-service.js';
import type { ODataRequest, ODataResponse } from './message.js';
import { negotiateJson, negotiateMetadata, negotiateVersion } from './negotiate.js';
import { matchesETag } from './precondition.js';
import { jsonResponse } from './responses.js';
import { servedDocument, type ServedDocument } from './served-document.js';
import type { Service } from './service.js';

const mediaTypes = { xml: 'application/xml', json: 'application/json' } as const;

/** `/$metadata`, as XML unless JSON is asked for by name; no plan and no database. */
export function readMetadata(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const form = negotiateMetadata(request, format);
  const document = service.metadata[form];
  return respondWith(request, form === 'xml' && negotiateVersion(request) === '4.0' ? inVersion40(document) : document, mediaTypes[form]);
}

const documents40 = new WeakMap<ServedDocument, ServedDocument>();

// A client of 4.0 refuses a document of a later version (CSDL XML 4.01, 3.1).
function inVersion40(document: ServedDocument): ServedDocument {
  const known = documents40.get(document) ?? servedDocument(document.bytes.toString('utf8').replace(/(<edmx:Edmx [^>]*Version=")4\.01"/, '$14.0"'));
  documents40.set(document, known);
  return known;
}

/** A vocabulary that the model refers to, served beside `$metadata`. */
export function readVocabulary(request: ODataRequest, document: ServedDocument): ODataResponse {
  return respondWith(request, document, mediaTypes.xml);
}

/** The service document. */
export function readService(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const negotiated = negotiateJson(request, format);
  return jsonResponse(200, renderService(service.container, service.root, negotiated), negotiated);
}

function respondWith(request: ODataRequest, { bytes, etag }: ServedDocument, type: string): ODataResponse {
  const headers = { 'Content-Type': type, 'OData-Version': negotiateVersion(request), ETag: etag, 'Vary': 'Accept, OData-MaxVersion' };
  const known = request.header('if-none-match');
  if (known !== undefined && matchesETag(known, etag)) return { status: 304, headers };
  return { status: 200, headers, body: bytes };
}
