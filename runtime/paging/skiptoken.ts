import { createHash, hash, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { errors } from '../errors/catalogue.js';
import { remembered } from '../uri/remembered.js';

/** The content of a `$skiptoken`. */
export interface SkipToken {
  /** Values of the order's terms for the last entity of the page, in the database's text form. */
  readonly after: readonly (string | null)[];
  /** Where `$top` is the total, the number of remaining entities. */
  readonly remaining?: number;
  /** Of a page: a hash of the order's columns and of the migrations that may have changed their values. */
  readonly order?: string;
  /** The data that a feature carries from page to page. */
  readonly carried?: string;
}

/**
 * Seals and opens tokens with a key of the service, so that order values are neither readable nor forgeable. A token is
 * valid for one request: its resource path and the options that determine members and order.
 */
export interface TokenSeal {
  readonly seal: (token: SkipToken, request: string) => string;
  /** `option` is the one that has the token, for errors. */
  readonly open: (text: string, request: string, option?: string) => SkipToken;
}

/** A seal with a secret, which all processes of a service share. */
export function createTokenSeal(secret: string): TokenSeal {
  const key = createHash('sha256').update(`gable skiptoken\0${secret}`).digest();
  // The first page of a list is requested often, and its link stays the same while the data does.
  const sealText = remembered((text) => seal(key, text));
  return {
    seal: (token, request) => sealText(JSON.stringify({ r: hashOf(request), ...token })),
    open: (text, request, option = '$skiptoken') => {
      const token = unsealed(key, text);
      if (token === undefined) throw errors.badSkiptoken('this service did not issue it', option).at(option);
      // Only this service can have sealed the token, so its shape is known.
      const { r, ...opened } = JSON.parse(token) as SkipToken & { readonly r: string };
      if (r !== hashOf(request)) throw errors.badSkiptoken('it belongs to another request', option).at(option);
      return opened;
    },
  };
}

// Tokens of consecutive pages have the same request.
const hashOf = remembered(shortHash);

/** A hash of 96 bits, as text. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

const nonceLength = 12;
const tagLength = 16;

/** Encrypts a text (AES-256-GCM), so that it is neither readable nor forgeable without the key. */
export function seal(key: Buffer, text: string): string {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

const noncesAtOnce = 128;
let nonces = Buffer.alloc(0);

// Generating many random bytes takes as long as generating a few.
function nextNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(noncesAtOnce * nonceLength);
  const nonce = nonces.subarray(0, nonceLength);
  nonces = nonces.subarray(nonceLength);
  return nonce;
}

/** Decrypts a text; undefined if it is forged, damaged, or sealed with another key. */
export function unsealed(key: Buffer, text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== text) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString('utf8');
  } catch {
    // Node reports only that the tag does not match.
    return undefined;
  }
}
