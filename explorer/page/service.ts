import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';

/** The service root on the origin of the page. */
export const root = new URL('../odata', location.href).href;
/** The service root as the service publishes it, for texts that are copied. */
export const publicRoot = document.querySelector<HTMLMetaElement>('meta[name=service]')?.content ?? root;

/** The paths of the service root, by which a whole address is known as one of the service. */
export const rootPaths = [publicRoot, root].map((address) => new URL(address).pathname);

/** An answer of the service, and what it took. */
export interface Answer {
  readonly method: string;
  readonly address: string;
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
  readonly milliseconds: number;
}

/** A request of the explorer. */
export interface Sending {
  readonly token: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Sends a request to an address below the service root, or to a whole address of it. */
export function send(address: string, sending: Sending): Promise<Answer> {
  return request(address.startsWith('/') ? `${root}${address}` : onOrigin(address), address, sending);
}

/** Asks for the statements and plans of a read. */
export function explainAt(address: string, sending: Sending): Promise<Answer> {
  return request(new URL(`../explain${address}`, location.href).href, address, sending);
}

async function request(url: string, address: string, { token, method = 'GET', headers = {}, body, signal }: Sending): Promise<Answer> {
  const start = performance.now();
  const response = await fetch(url, {
    method,
    headers: {
      Accept: 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      // Long numbers are texts in our bodies.
      ...(body !== undefined && { 'Content-Type': 'application/json;IEEE754Compatible=true' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return {
    method,
    address,
    status: response.status,
    text,
    body: parsed(text),
    headers: response.headers,
    milliseconds: performance.now() - start,
  };
}

/** The records of a query as a file for Excel, for which a link could not send the token. Throws the service's message. */
export async function fetchFile(address: string, token: string | undefined): Promise<Blob> {
  const headers = { Accept: 'text/csv;bom=true', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(`${root}${address}`, { headers });
  if (!response.ok) throw new Error(messageOf(await response.json()) ?? `The service answered ${response.status}.`);
  return response.blob();
}

// Links of the service have its public address, which may be another one than that of the page.
function onOrigin(address: string): string {
  return address.startsWith(publicRoot) ? `${root}${address.slice(publicRoot.length)}` : address;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text; // Counts and raw values are no JSON.
  }
}

/** JSON whose numbers a double would round stay texts, in browsers that tell them. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && isRounded(context.source) ? context.source : value,
  );
}

/** Whether a double has other digits than the text of a number. */
export function isRounded(text: string): boolean {
  return significant(text) !== significant(String(Number(text)));
}

function significant(text: string): string {
  return text
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
}

/** The tables of the model for the caller. Throws the service's message where it refuses the token. */
export async function fetchTables(token: string | undefined): Promise<ShownTables> {
  const response = await fetch('tables.json', { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(messageOf(body) ?? `The service answered ${response.status}.`);
  return body as ShownTables;
}

/** The token of a one-time link. */
export async function redeem(code: string): Promise<string> {
  const response = await fetch('sign-in', { method: 'POST', body: code });
  const body = (await response.json()) as { readonly token?: string };
  if (body.token === undefined) throw new Error(messageOf(body) ?? 'The link cannot be used.');
  return body.token;
}

/** A token for a client's credentials (OAuth 2.0 client credentials). */
export async function requestToken(id: string, secret: string): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const response = await fetch('../oauth2/token', { method: 'POST', body: form });
  const body = (await response.json()) as { readonly access_token?: string; readonly error_description?: string };
  if (body.access_token === undefined) throw new Error(body.error_description ?? messageOf(body) ?? 'The client is unknown.');
  return body.access_token;
}

/** The message of an error body. */
export function messageOf(body: unknown): string | undefined {
  return (body as { readonly error?: { readonly message?: string } } | undefined)?.error?.message;
}
