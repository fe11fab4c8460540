import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

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
