import type { Config } from '../../config/config.js';
import type { Database } from '../embedded/open.js';
import { issueToken } from '../../identity/authenticate.js';
import { expiryOf } from '../../identity/token.js';
import { introduceListing } from '../../extensions/listing/introduce-listing.js';
import { listing } from '../../extensions/listing/listing.js';
import type { ServedModel } from '../../config/served-model.js';
import { scopesOf } from './scopes.js';
import { requestsToTry, type TryRequest } from './try-requests.js';

/** The first information about a started service. */
export interface Introduction {
  /** The service root. */
  readonly url: string;
  readonly token: string;
  /** The time when the token expires, in ISO 8601. */
  readonly expires: string;
  readonly requests: readonly TryRequest[];
}

const lifetime = 24 * 3600;

/** Issues a token with all scopes, and collects sample requests; `url` is the service root. */
export async function introduce(url: string, config: Config, model: ServedModel, database: Database): Promise<Introduction> {
  const { requests, ...claims } = model === listing ? await introduceListing(url, database.sequelize) : introduceModel(url, model);
  const token = await issueToken({ subject: 'developer', lifetime, ...claims }, config.token);
  return { url, token, expires: expiryOf(token), requests };
}

function introduceModel(url: string, { container }: ServedModel) {
  return { scopes: [...scopesOf(container)], requests: requestsToTry(container, url) };
}

/** Prints an introduction as text. */
export function printIntroduction({ url, token, requests }: Introduction): string {
  return `
Gable serves ${url}

Token for the next 24 hours:

  TOKEN=${token}

Paste the line above, then try:

${requests.map((request) => `  curl -s -H "Authorization: Bearer $TOKEN" ${printRequest(request)}\n`).join('\n')}
Stop with Ctrl+C.
`;
}

function printRequest({ url, body }: TryRequest): string {
  return body === undefined ? `'${url}'` : `-H 'Content-Type: application/json' '${url}' -d '${JSON.stringify(body)}'`;
}
