import type { Config } from '../../config/config.js';
import type { Database } from '../embedded/open.js';
import { withConnection } from '../../database/run.js';
import { issueToken } from '../../identity/authenticate.js';
import { expiryOf } from '../../identity/claims.js';
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
  const member = model === listing ? await firstMember(database) : undefined;
  const scopes = member === undefined ? [...scopesOf(model.container)] : ['listing.read.all', 'listing.write'];
  const token = await issueToken({ subject: 'developer', scopes, lifetime, ...(member !== undefined && { member }) }, config.token);
  return {
    url,
    token,
    expires: expiryOf(token),
    requests: member === undefined ? requestsToTry(model.container, url) : listingRequests(url, member),
  };
}

/** Prints an introduction as text. */
export function printIntroduction({ url, token, requests }: Introduction): string {
  return `
Gable serves ${url}

A token for the next 24 hours:

  TOKEN=${token}

Try, after pasting the line above:

${requests.map((request) => `  curl -s -H "Authorization: Bearer $TOKEN" ${printRequest(request)}\n`).join('\n')}
Stop with Ctrl+C.
`;
}

function printRequest({ url, body }: TryRequest): string {
  return body === undefined ? `'${url}'` : `-H 'Content-Type: application/json' '${url}' -d '${JSON.stringify(body)}'`;
}

// Listings are created for a member.
async function firstMember({ sequelize }: Database): Promise<string> {
  const [row] = await withConnection(sequelize, (connection) =>
    connection.run({ text: 'select "MemberKey" from "Member" order by 1 limit 1', bind: [] }),
  );
  return row?.[0] ?? '';
}

function listingRequests(root: string, member: string): readonly TryRequest[] {
  return [
    { method: 'GET', url: `${root}/Property?$top=3&$select=ListingKey,City,ListPrice,StandardStatus` },
    {
      method: 'GET',
      url: `${root}/Property?$filter=StandardStatus%20eq%20%27Active%27%20and%20ListPrice%20lt%20600000&$orderby=ListPrice%20desc&$expand=Media($top=1)&$top=2&$count=true`,
    },
    {
      method: 'POST',
      url: `${root}/Property`,
      body: {
        ListAgentKey: member,
        ListOfficeKey: member,
        PropertyType: 'Residential',
        StreetNumber: '12',
        StreetName: 'Elm',
        City: 'Toronto',
      },
    },
  ];
}
