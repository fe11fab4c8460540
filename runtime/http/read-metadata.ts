import { createHash } from 'node:crypto';
import { renderService } from '../response/render-service.js';
import type { ODataRequest, ODataResponse } from './message.js';
import { negotiateJson, negotiateMetadata, negotiateVersion } from './negotiate.js';
import { matchesETag } from './precondition.js';
import { jsonResponse } from './responses.js';
import type { Service } from './service.js';

const mediaTypes = { xml: 'application/xml', json: 'application/json' } as const;

/** `/$metadata`, as XML unless JSON is asked for by name; no plan and no database. */
export function readMetadata(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const form = negotiateMetadata(request, format);
  return document(request, service.metadata[form], mediaTypes[form]);
}

/** A vocabulary that the model refers to, served beside `$metadata`. */
export function readVocabulary(request: ODataRequest, text: string): ODataResponse {
  return document(request, text, mediaTypes.xml);
}

/** The service document. */
export function readService(request: ODataRequest, service: Service, format: string | undefined): ODataResponse {
  const negotiated = negotiateJson(request, format);
  return jsonResponse(200, renderService(service.container, service.root, negotiated), negotiated);
}

function document(request: ODataRequest, text: string, type: string): ODataResponse {
  const etag = etagOfText(text);
  const headers = { 'Content-Type': type, 'OData-Version': negotiateVersion(request), ETag: etag, Vary: 'Accept' };
  const known = request.header('if-none-match');
  if (known !== undefined && matchesETag(known, etag)) return { status: 304, headers };
  return { status: 200, headers, body: text };
}

const etags = new Map<string, string>();

// The documents never change while the service runs, so each is hashed once.
function etagOfText(text: string): string {
  const known = etags.get(text);
  if (known !== undefined) return known;
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  etags.set(text, etag);
  return etag;
}
