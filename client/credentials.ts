import { execute } from './send.js';

/** A client of a token endpoint (RFC 6749, 4.4). */
export interface ClientCredentials {
  readonly tokenUrl: string | URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** The answer of a token endpoint. */
interface Granted {
  readonly access_token: string;
  readonly expires_in?: number;
}

/** Gets tokens for the option `token`: one request for many callers, renewed before the token ends. */
export function clientCredentials(client: ClientCredentials): () => Promise<string> {
  let current: Promise<string> | undefined;
  let end = 0;
  return async () => {
    if (Date.now() >= end) {
      end = Infinity;
      current = grant(client).then(({ access_token: token, expires_in: seconds = 3600 }) => {
        // The last tenth of its life is left for requests on their way.
        end = Date.now() + seconds * 900;
        return token;
      });
      // The next caller asks again.
      current.catch(() => (end = 0));
    }
    return current as Promise<string>;
  };
}

function grant({ tokenUrl, clientId, clientSecret, scope, fetch }: ClientCredentials): Promise<Granted> {
  const credentials = btoa([clientId, clientSecret].map(encodeURIComponent).join(':'));
  const root = String(tokenUrl);
  return execute<Granted>(
    { root, schema: { sets: {} }, options: { baseUrl: root, fetch }, last: {} },
    {
      method: 'POST',
      address: root,
      own: { authorization: `Basic ${credentials}` },
      bytes: new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }),
      isRepeatable: true,
      read: ({ body }) => body as Granted,
    },
  );
}
