import { createHmac, hkdfSync } from 'node:crypto';
import { seal, unsealed } from '../../paging/skiptoken.js';
import type { Hook } from './hook.js';

/** The number of bytes of a signing secret (Standard Webhooks: 24 to 64). */
const secretLength = 32;
const prefix = 'whsec_';

/** The signing secret of a hook, derived from that of the service, so that the database has none. */
export function signingSecret({ seed, secretNumber }: Pick<Hook, 'seed' | 'secretNumber'>, serviceSecret: string): string {
  return `${prefix}${derive(serviceSecret, `${seed} ${secretNumber}`).toString('base64')}`;
}

/** The headers of Standard Webhooks 1.0 for a body; while a secret is rotated, both sign. */
export function signatureHeaders(
  message: { readonly id: string; readonly body: string; readonly seconds: number },
  hook: Pick<Hook, 'seed' | 'secretNumber' | 'isRotating'>,
  serviceSecret: string,
): Readonly<Record<string, string>> {
  const numbers = hook.isRotating ? [hook.secretNumber, hook.secretNumber - 1] : [hook.secretNumber];
  const secrets = numbers.map((secretNumber) => signingSecret({ ...hook, secretNumber }, serviceSecret));
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.seconds),
    'webhook-signature': secrets.map((secret) => sign(message, secret)).join(' '),
  };
}

function sign({ id, body, seconds }: { readonly id: string; readonly body: string; readonly seconds: number }, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** Encrypts the bearer token of a consumer for the database. */
export function sealBearer(bearer: string, { seed }: Pick<Hook, 'seed'>, serviceSecret: string): string {
  return seal(derive(serviceSecret, `${seed} bearer`), bearer);
}

/** Decrypts the bearer token; throws if it was encrypted with another secret of the service. */
export function openBearer(text: string, { seed }: Pick<Hook, 'seed'>, serviceSecret: string): string {
  const bearer = unsealed(derive(serviceSecret, `${seed} bearer`), text);
  if (bearer === undefined) throw new Error('The bearer token was encrypted with another secret.');
  return bearer;
}

function derive(serviceSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', serviceSecret, '', `gable webhook ${purpose}`, secretLength));
}
