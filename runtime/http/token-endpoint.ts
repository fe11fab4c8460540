import { notAllowed } from '../protocol/routes.js';
import { errors } from '../errors/catalogue.js';
import { issueToken, type TokenSettings } from '../identity/authenticate.js';
import { type Credentials, decodeFormPart, readBasic } from '../identity/basic.js';
import { type Client, findClient } from '../identity/client-store.js';
import { parseAccept } from '../protocol/negotiate.js';
import { type ODataRequest, unstoredJson, type WholeResponse } from '../protocol/message.js';
import type { Store } from '../store/store.js';
import { failureResponse } from './respond.js';

interface TokenEndpointParts {
  readonly store: Store;
  readonly token: TokenSettings;
  readonly logFailure: (failure: unknown, requestId: string) => void;
}

/** The path of the token endpoint. */
export const tokenPath = '/oauth2/token';

const lifetime = 3600;
const largestForm = 8 * 1024;

/** Issues tokens to clients by their credentials (RFC 6749, 4.4). */
export function createTokenEndpoint(parts: TokenEndpointParts): (request: ODataRequest) => Promise<WholeResponse> {
  return async (request) => {
    try {
      return await answerTokenRequest(request, parts);
    } catch (failure) {
      return failureResponse(failure, request, parts);
    }
  };
}

async function answerTokenRequest(request: ODataRequest, { store, token }: TokenEndpointParts): Promise<WholeResponse> {
  if (request.path !== tokenPath) throw errors.notFound('resource at this address');
  if (request.method !== 'POST') throw notAllowed(request.method, ['POST']);
  const [type] = parseAccept(request.header('content-type') ?? '');
  if (type?.type !== 'application/x-www-form-urlencoded')
    return refusal('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  const form = parseForm(await request.body(largestForm));
  if (form === undefined) return refusal('invalid_request', 'The body is malformed, or repeats a parameter.');
  if (form.get('grant_type') !== 'client_credentials') return refusal('unsupported_grant_type', 'grant_type must be client_credentials.');
  const credentials = readCredentials(request.header('authorization'), form);
  const client =
    credentials && (await store.transaction((connection) => findClient(credentials.id, credentials.secret, connection), request.recipient));
  if (client === undefined) return unknownClient(credentials);
  return grant(client, form.get('scope'), token);
}

async function grant({ id, scopes, member }: Client, wanted: string | undefined, settings: TokenSettings): Promise<WholeResponse> {
  const granted = wanted === undefined ? scopes : [...new Set(wanted.split(' ').filter((scope) => scope !== ''))];
  const excess = granted.filter((scope) => !scopes.includes(scope));
  if (excess.length > 0 || (granted.length === 0 && scopes.length > 0)) return refusal('invalid_scope', allowedScopes(scopes));
  const token = await issueToken({ subject: id, scopes: granted, lifetime, ...(member !== undefined && { member }) }, settings);
  // RFC 6749, 5.1: an answer with a token must not be stored.
  return unstoredJson(200, {
    access_token: token,
    token_type: 'Bearer',
    expires_in: lifetime,
    ...(granted.length > 0 && { scope: granted.join(' ') }),
  });
}

function allowedScopes(scopes: readonly string[]): string {
  return scopes.length === 0 ? 'The client has no scopes; request none.' : `The client may request these scopes: ${scopes.join(' ')}.`;
}

// RFC 6749, 5.2: a client that used the header gets a challenge.
function unknownClient(credentials: SentCredentials | undefined): WholeResponse {
  const refused = refusal('invalid_client', 'The client is unknown or revoked, or its secret is wrong.', 401);
  if (credentials?.from === 'body') return refused;
  return { ...refused, headers: { ...refused.headers, 'WWW-Authenticate': 'Basic realm="gable"' } };
}

function refusal(error: string, description: string, status = 400): WholeResponse {
  return unstoredJson(status, { error, error_description: description });
}

/** The credentials of a client, and where they were sent. */
interface SentCredentials extends Credentials {
  readonly from: 'header' | 'body';
}

/** A posted form; undefined when it is not UTF-8, badly encoded, or repeats a name (RFC 6749, 3.2). */
function parseForm(body: Uint8Array): ReadonlyMap<string, string> | undefined {
  const form = new Map<string, string>();
  for (const pair of textOf(body)?.split('&') ?? [unreadable]) {
    if (pair === '') continue;
    const [name, value] = pair.split(/=(.*)/s).map(decodeFormPart);
    if (name === undefined || value === undefined || form.has(name)) return undefined;
    form.set(name, value);
  }
  return form;
}

const unreadable = '%';

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // Not UTF-8, and so no form.
    return undefined;
  }
}

/** A client's name and secret, from the header or the body but not from both (RFC 6749, 2.3). */
function readCredentials(authorization: string | undefined, form: ReadonlyMap<string, string>): SentCredentials | undefined {
  const id = form.get('client_id');
  const secret = form.get('client_secret');
  if (authorization === undefined) return id !== undefined && secret !== undefined ? { id, secret, from: 'body' } : undefined;
  const basic = readBasic(authorization);
  if (basic === undefined || secret !== undefined || (id !== undefined && id !== basic.id)) return undefined;
  return { ...basic, from: 'header' };
}
