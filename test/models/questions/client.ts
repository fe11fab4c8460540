import type { EntityContainer } from '../../../runtime/edm/entity-container.js';
import { isArray, isObject, type Json, type JsonObject, printJson } from '../../../runtime/json/json.js';
import { parseJsonObject } from '../../../runtime/json/parse-json.js';
import type { Random } from '../../permission/random.js';

/** A service whose model is asked about. */
export interface Subject {
  readonly container: EntityContainer;
  /** Without a slash at its end. */
  readonly root: string;
  readonly random: Random;
}

/** The optional parts of a request. */
export interface Sent {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Json;
  readonly bytes?: Uint8Array;
}

/** An answer; the body where it is JSON. */
export interface Answer {
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: JsonObject | undefined;
}

/** Asks for an address, absolute or beneath the root. */
export async function ask(
  { root }: Pick<Subject, 'root'>,
  address: string,
  { method = 'GET', headers = {}, body, bytes }: Sent = {},
): Promise<Answer> {
  const url = /^https?:/.test(address) ? address : `${root}/${address}`;
  const content = body === undefined ? bytes && new Uint8Array(bytes) : printJson(body);
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json') && text !== '';
  const told = body === undefined ? '' : ` ${printJson(body)}`;
  return {
    request: `${method} ${decodeURIComponent(url.replace(`${root}/`, ''))}${told}`,
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? parseJsonObject(Buffer.from(text)) : undefined,
  };
}

/** The same, where nothing but one of these states is right. */
export async function must(subject: Pick<Subject, 'root'>, address: string, statuses: readonly number[], sent: Sent = {}): Promise<Answer> {
  const answer = await ask(subject, address, sent);
  if (!statuses.includes(answer.status)) throw new Error(`${faultOf(answer)} to ${answer.request}`);
  return answer;
}

/** The error of an answer. */
export function faultOf({ status, text }: Pick<Answer, 'status' | 'text'>): string {
  return `${status} ${text.replace(/^\{"error":|,"innererror".*$/g, '').slice(0, 600)}`;
}

/** The JSON of an answer that is 200. */
export async function read(subject: Pick<Subject, 'root'>, address: string, headers: Sent['headers'] = {}): Promise<JsonObject> {
  const { json, request, text } = await must(subject, address, [200], { headers });
  if (json === undefined) throw new Error(`${request}: no JSON but ${text.slice(0, 200)}`);
  return json;
}

/** The records, or values, of an answer. */
export function itemsOf(answer: JsonObject): readonly Json[] {
  const value = answer.members.get('value');
  if (value === undefined || !isArray(value)) throw new Error(`An answer has no value: ${printJson(answer).slice(0, 200)}`);
  return value.items;
}

/** The records of an answer. */
export function recordsOf(answer: JsonObject): readonly JsonObject[] {
  return itemsOf(answer).filter(isObject);
}

/** The records of all pages of a collection, and how many pages there were. */
export async function readAll(
  subject: Pick<Subject, 'root'>,
  address: string,
  headers: Sent['headers'] = {},
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (let next: string | undefined = address, pages = 0; next !== undefined; pages++) {
    if (pages > 200) throw new Error(`${address}: the pages have no end.`);
    const page: JsonObject = await read(subject, next, headers);
    found.push(...recordsOf(page));
    next = textOf(page, '@odata.nextLink');
  }
  return found;
}

/** A member that is a text. */
export function textOf({ members }: JsonObject, name: string): string | undefined {
  const value = members.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** Full metadata, which has the address of every record. */
export const full = { Accept: 'application/json;odata.metadata=full' } as const;

/** The address of a record that was read with full metadata, beneath the root. */
export function idOf(subject: Pick<Subject, 'root'>, record: JsonObject): string {
  const id = textOf(record, '@odata.id');
  if (id === undefined) throw new Error(`A record has no address: ${printJson(record).slice(0, 300)}`);
  return id.startsWith(`${subject.root}/`) ? id.slice(subject.root.length + 1) : id;
}

/** Query options, encoded. */
export function query(options: { readonly [name: string]: string | undefined }): string {
  const written = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  return written.length === 0 ? '' : `?${written.join('&')}`;
}
