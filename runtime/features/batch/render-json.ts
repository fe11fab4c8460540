import type { WholeResponse } from '../../protocol/message.js';
import type { UnitOutcome } from './run-batch.js';
import type { Outcome } from './outcomes.js';

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
