import { errors } from '../../errors/catalogue.js';
import { nearestOf } from '../../errors/suggest.js';
import { type Json, type JsonObject, printJson } from '../../json/json.js';
import { parseJsonObject } from '../../json/parse-json.js';
import { type Batch, batchLimits, type BatchPart, type BatchUnit, isJsonType } from './batch.js';
import { referencesOf } from './condition.js';

/** Reads a batch in JSON (JSON format 19.1): requests with dependencies. */
export function readJsonBatch(bytes: Uint8Array): Batch {
  const requests = parseJsonObject(bytes).members.get('requests');
  const items = arrayOf(requests) ?? fail('it has no array named requests');
  if (items.length > batchLimits.parts)
    throw errors.limitExceeded(`A batch may have at most ${batchLimits.parts} requests; this one has ${items.length}.`);
  const reader: Reader = { units: [], byName: new Map() };
  for (const [index, item] of items.entries()) addRequest(reader, objectOf(item) ?? fail(`requests[${index}] is not an object`), index);
  return { units: reader.units, continues: true };
}

interface Reader {
  readonly units: ReadUnit[];
  /** Units by the ids of their parts and the names of groups, for resolving dependencies. */
  readonly byName: Map<string, ReadUnit>;
}

interface ReadUnit extends BatchUnit {
  readonly parts: BatchPart[];
  readonly after: BatchUnit[];
}

function addRequest({ units, byName }: Reader, request: JsonObject, index: number): void {
  const part = readPart(request, index);
  const group = optionalText(request, 'atomicityGroup', index);
  const open = group === undefined ? undefined : byName.get(group);
  const last = units.at(-1);
  if (byName.has(part.id) || part.id === group) throw errors.malformedBatch(`the id ${part.id.slice(0, 64)} is repeated`);
  if (open !== undefined && (open !== last || open.group !== group))
    throw errors.malformedBatch(`the requests of a group must be consecutive, but those of ${group?.slice(0, 64)} are not`);
  const after = part.dependsOn.map(
    (name) => byName.get(name) ?? fail(`${part.id.slice(0, 64)} depends on ${name.slice(0, 64)}, which does not precede it`),
  );
  const unit: ReadUnit = open ?? { parts: [], after: [], ...(group !== undefined && { group }) };
  unit.parts.push(part);
  // The requests that an `if` names must have ended, also where dependsOn does not name them.
  const read = referencesOf(part.condition ?? '').flatMap((name) => byName.get(name) ?? []);
  unit.after.push(...[...after, ...read].filter((each) => each !== unit));
  if (open === undefined) units.push(unit);
  for (const name of [part.id, ...(group === undefined ? [] : [group])]) byName.set(name, unit);
}

/** The members of a request (JSON format 19.1). */
const members: readonly string[] = ['id', 'method', 'url', 'headers', 'body', 'dependsOn', 'atomicityGroup', 'if'];

// Unknown members are ignored, as everywhere in JSON, but a near miss of a known name is rejected.
function requireKnown(request: JsonObject, index: number): void {
  for (const name of request.members.keys()) {
    const meant = members.includes(name) ? undefined : nearestOf(name, members);
    if (meant !== undefined) throw errors.malformedBatch(`requests[${index}] has a member ${name.slice(0, 64)}; did you mean ${meant}?`);
  }
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);

function readPart(request: JsonObject, index: number): BatchPart {
  requireKnown(request, index);
  const method = text(request, 'method', index).toUpperCase();
  if (!methods.has(method))
    throw errors.malformedBatch(`the method of requests[${index}] must be get, post, put, patch or delete, not ${method.slice(0, 16)}`);
  const headers = readHeaders(request, index);
  const body = readBody(request.members.get('body') ?? null, headers, index);
  if (body !== undefined && (method === 'GET' || method === 'DELETE'))
    throw errors.malformedBatch(`requests[${index}] is ${method} but has a body`);
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const condition = optionalText(request, 'if', index);
  return {
    id: readId(request, index),
    named: true,
    method,
    url: text(request, 'url', index),
    headers,
    dependsOn: readDependencies(request, index),
    ...(body && { body }),
    ...(condition !== undefined && { condition }),
  };
}

// In multipart the answer repeats it as a header.
function readId(request: JsonObject, index: number): string {
  const id = text(request, 'id', index);
  return /\p{Cc}/u.test(id) ? fail(`the id of requests[${index}] has a control character`) : id;
}

function readHeaders(request: JsonObject, index: number): Map<string, string> {
  const sent = request.members.get('headers') ?? null;
  if (sent === null) return new Map();
  const members = objectOf(sent)?.members ?? fail(`the headers of requests[${index}] must be an object`);
  return new Map(
    [...members].map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : fail(`the header ${name.slice(0, 64)} of requests[${index}] must be a string`),
    ]),
  );
}

// JSON stays JSON, text is a string, and anything else is a string in base64url.
function readBody(body: Json, headers: ReadonlyMap<string, string>, index: number): Buffer | undefined {
  if (body === null) return undefined;
  const type = (headers.get('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (isJsonType(type)) return Buffer.from(printJson(body), 'utf8');
  if (typeof body !== 'string') throw errors.malformedBatch(`the body of requests[${index}] is ${type.slice(0, 64)} and must be a string`);
  return Buffer.from(body, type.startsWith('text/') ? 'utf8' : 'base64url');
}

function readDependencies(request: JsonObject, index: number): readonly string[] {
  const sent = request.members.get('dependsOn') ?? null;
  if (sent === null) return [];
  const items = arrayOf(sent) ?? fail(`dependsOn of requests[${index}] must be an array`);
  return items.map((item) => (typeof item === 'string' ? item : fail(`dependsOn of requests[${index}] must contain ids only`)));
}

function text(request: JsonObject, name: string, index: number): string {
  return optionalText(request, name, index) ?? fail(`requests[${index}] has no ${name}`);
}

function optionalText(request: JsonObject, name: string, index: number): string | undefined {
  const value = request.members.get(name) ?? null;
  if (value === null) return undefined;
  return typeof value === 'string' && value !== '' ? value : fail(`${name} of requests[${index}] must be a string`);
}

function fail(why: string): never {
  throw errors.malformedBatch(why);
}

function arrayOf(json: Json | undefined): readonly Json[] | undefined {
  return typeof json === 'object' && json?.kind === 'array' ? json.items : undefined;
}

function objectOf(json: Json): JsonObject | undefined {
  return typeof json === 'object' && json?.kind === 'object' ? json : undefined;
}
