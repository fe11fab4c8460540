import type { JSONWebKeySet } from 'jose';

const longestWait = 5_000;
const largest = 1024 * 1024;

/** Fetches a key set: no redirects, limited in time and size, public keys only. */
export async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(longestWait),
    headers: { Accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return parseKeys(await readText(response), url);
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true }); // A body's chunks are bytes.
    if (text.length > largest) throw new Error('The key set is larger than 1 MiB.');
  }
  return text + decoder.decode();
}

/** Parses a key set; rejects shared secrets, with which every reader could sign tokens (RFC 8725, 2.1). */
export function parseKeys(text: string, url: string): JSONWebKeySet {
  const parsed = JSON.parse(text) as Partial<JSONWebKeySet> | null;
  if (!Array.isArray(parsed?.keys)) throw new Error(`${url} has no key set.`);
  return { keys: parsed.keys.filter((key) => typeof key === 'object' && key !== null && key.kty !== 'oct') };
}
