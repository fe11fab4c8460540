// Prints the listings of a city, then those that are new or have changed: node out/new-listings.js CITY [SECONDS]
import { setTimeout } from 'node:timers/promises';
import { changes, createClient, Expired } from 'gable/client';
import { service } from 'gable/service';

const [city = 'Toronto', seconds = '10'] = process.argv.slice(2);
const baseUrl = process.env['LISTINGS'] ?? 'http://localhost:4004/odata';
const api = createClient(service, { baseUrl, token: process.env['TOKEN'] });

let since: string | undefined;
while (true) {
  try {
    const feed = changes(
      api.Property,
      {
        select: ['ListingKey', 'StandardStatus', 'ListPrice', 'UnparsedAddress'],
        expand: { ListAgent: { select: ['MemberFullName'] } },
        filter: (p) => p.City.eq(city),
      },
      { since },
    );
    for await (const { record, key } of feed)
      console.log(
        record ? `${record.ListingKey} ${record.StandardStatus} ${record.ListAgent.MemberFullName}` : `gone ${JSON.stringify(key)}`,
      );
    since = feed.link;
  } catch (error) {
    if (!(error instanceof Expired)) throw error;
    since = undefined;
  }
  await setTimeout(Number(seconds) * 1000);
}
