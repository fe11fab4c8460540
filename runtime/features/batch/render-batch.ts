import { STATUS_CODES } from 'node:http';
import type { WholeResponse } from '../../protocol/message.js';
import { isSuccess, type Outcome } from './batch.js';
import type { UnitOutcome } from './run-batch.js';

/** Renders the answers of a batch in JSON (JSON format 19.5), each with the id of its request. */
export function renderJsonBatch(units: readonly UnitOutcome[]): Buffer {
  const chunks: Buffer[] = [];
  for (const { unit, outcomes } of units) {
    for (const outcome of outcomes) chunks.push(...renderResponse(outcome, unit.group, chunks.length === 0 ? '{"responses":[' : ','));
  }
  return Buffer.concat([...chunks, Buffer.from(chunks.length === 0 ? '{"responses":[]}' : ']}')]);
}

function renderResponse({ part, response }: Outcome, group: string | undefined, before: string): readonly Buffer[] {
  const headers = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const members = [
    ...(part.named ? [`"id":${JSON.stringify(part.id)}`] : []),
    ...(group === undefined ? [] : [`"atomicityGroup":${JSON.stringify(group)}`]),
    `"status":${response.status}`,
    `"headers":${JSON.stringify(Object.fromEntries(headers))}`,
  ];
  const open = Buffer.from(`${before}{${members.join(',')}`);
  return [open, ...(response.body === undefined ? [] : [Buffer.from(',"body":'), bodyOf(response)]), Buffer.from('}')];
}

// JSON stays JSON, text becomes a string, and anything else a string in base64url.
function bodyOf({ headers, body }: WholeResponse): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body ?? '');
  const type = headers['Content-Type'] ?? '';
  if (type.startsWith('application/json')) return bytes;
  return Buffer.from(JSON.stringify(bytes.toString(type.startsWith('text/') ? 'utf8' : 'base64url')));
}

/**
 * Renders the answers of a batch in multipart/mixed (protocol 11.7.7.6): one part per request, and one for a failed
 * change set.
 */
export function renderMultipartBatch(units: readonly UnitOutcome[], boundary: string): Buffer {
  return multipart(
    units.map(({ unit, outcomes }, index) =>
      unit.group === undefined ? single(outcomes) : changeSet(outcomes, changeSetBoundary(boundary, index)),
    ),
    boundary,
  );
}

// Some clients recognize a change set only by this name.
function changeSetBoundary(boundary: string, index: number): string {
  return `${boundary.replace('batchresponse_', 'changesetresponse_')}_${index}`;
}

function single([outcome]: readonly Outcome[]): Buffer {
  return outcome ? httpPart(outcome) : Buffer.alloc(0);
}

function changeSet(outcomes: readonly Outcome[], boundary: string): Buffer {
  // The failed request answers for its change set; the others only depended on it.
  const failed =
    outcomes.find(({ response }) => !isSuccess(response) && response.status !== 424) ??
    outcomes.find(({ response }) => !isSuccess(response));
  if (failed) return httpPart(failed);
  return Buffer.concat([
    Buffer.from(`Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n`),
    multipart(outcomes.map(httpPart), boundary),
  ]);
}

function multipart(parts: readonly Buffer[], boundary: string): Buffer {
  const begin = Buffer.from(`--${boundary}\r\n`);
  const end = Buffer.from('\r\n');
  return Buffer.concat([...parts.flatMap((part) => [begin, part, end]), Buffer.from(`--${boundary}--\r\n`)]);
}

function httpPart({ part, response }: Outcome): Buffer {
  const id = part.named ? `Content-ID: ${part.id}\r\n` : '';
  const body = typeof response.body === 'string' ? Buffer.from(response.body) : Buffer.from(response.body ?? '');
  const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? 'Unknown'}`, ...headerLines(response, body)];
  return Buffer.concat([
    Buffer.from(`Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${id}\r\n${lines.join('\r\n')}\r\n\r\n`),
    body,
  ]);
}

function headerLines({ headers }: WholeResponse, body: Buffer): readonly string[] {
  return [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
  ];
}
