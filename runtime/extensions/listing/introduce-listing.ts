import type { ConnectionPool } from '../../database/pool.js';
import { withConnection } from '../../database/run.js';

/** A sample request, without its token. */
export interface TryRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: object;
}

/** Claims of a developer's token, and sample requests that it permits; `root` is the service root. */
export async function introduceListing(root: string, pool: ConnectionPool) {
  const member = await firstMember(pool);
  return { member, scopes: ['listing.read.all', 'listing.write'], requests: listingRequests(root, member) };
}

// Listings are created for a member.
async function firstMember(pool: ConnectionPool): Promise<string> {
  const [row] = await withConnection(pool, (connection) =>
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
