import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTHeaderParameters } from 'jose';
import type { OutsideIssuer } from '../../runtime/identity/outside-issuer.js';

/** An outside issuer that listens. */
export interface IssuerServer {
  readonly settings: OutsideIssuer;
  /** A good token, but for what is given. */
  readonly sign: (claims?: Readonly<Record<string, unknown>>, header?: Partial<JWTHeaderParameters>) => Promise<string>;
  /** Its public key as PEM, which everybody can get. */
  readonly publicKey: string;
  readonly stop: () => void;
}

/** Starts an issuer with one RSA key. */
export async function startIssuer(): Promise<IssuerServer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' };
  const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { issuer: 'https://issuer.example', audience: 'listings', jwksUrl: `${url}/jwks`, algorithms: ['RS256'] } as const;
  return {
    settings,
    publicKey: await exportSPKI(publicKey),
    stop: () => server.close(),
    sign: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        iss: settings.issuer,
        aud: settings.audience,
        sub: 'broker',
        scope: 'listing.read',
        iat: now,
        exp: now + 600,
        ...claims,
      };
      return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(privateKey);
    },
  };
}
