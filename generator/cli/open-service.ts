import { UsageError } from '../config/config.js';
import type { ReadOptions } from '../generate.js';
import type { ModelSource } from '../csdl/read-text.js';
import { answerSeconds, fetchWithin } from './fetch-within.js';

/** A document, and how to read it. */
export interface Opened {
  readonly source: ModelSource;
  readonly options: ReadOptions;
}

/** The policy for clients: they need no joins and no other decisions that a document leaves open. */
export const clientPolicy = { mode: 'lenient', choices: {} } as const;

/**
 * Downloads the document of a service; the address is that of the service or of its `$metadata`. A header takes the place
 * of the token.
 */
export async function openService(address: string, token: string | undefined, given: Readonly<Record<string, string>>): Promise<Opened> {
  const path = /\$metadata(\?|$)/.test(address) ? address : `${address.replace(/\/*$/, '')}/$metadata`;
  const headers = new Headers({ Accept: 'application/xml', ...(token && { Authorization: `Bearer ${token}` }) });
  for (const [name, value] of Object.entries(given)) headers.set(name, value);
  const response = await fetchWithin(answerSeconds)(path, { headers }).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be reached: ${reasonOf(path, error as Error)}.`);
  });
  // Servers with https answer 400 to http.
  const hint = response.status === 400 ? ifHttps(path) : (hints[response.status] ?? '');
  if (!response.ok) throw new UsageError(`${path} answers ${response.status}${hint}.`);
  return { source: { path, bytes: new Uint8Array(await response.arrayBuffer()) }, options: { policy: clientPolicy } };
}

function reasonOf(path: string, { message, cause }: Error): string {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  if (/^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/.test(code)) return `the port does not speak https; write ${path.replace('https:', 'http:')}`;
  const reason = cause instanceof Error ? cause.message : message;
  return /^(UND_ERR_SOCKET|ECONNRESET|HPE_)/.test(code) ? `${reason}${ifHttps(path)}` : reason;
}

function ifHttps(path: string): string {
  return path.startsWith('http:') ? `; if the port speaks https, write ${path.replace('http:', 'https:')}` : '';
}

const hints: { readonly [status: number]: string } = {
  401: ': the service needs a valid token, in GABLE_TOKEN',
  403: ': the token does not permit it',
  404: ': name the service root, such as https://services.example.com/odata',
};

/** A header as written on a command line: `Name: value`. */
export function headerOf(text: string): readonly [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`'${text}' is no header; write --header 'Name: value'.`);
  return [name, value];
}
