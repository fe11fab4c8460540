import { until } from '../operation/until.js';
import type { LoadRecord, Target } from './load.js';

/** Faults in what a database holds after a drill: an acknowledged write that is lost, or one that is there in part. */
export async function lostOrTorn(target: Target, record: LoadRecord): Promise<readonly string[]> {
  const listings = await readAll(
    target,
    "/Property?$filter=City eq 'Drill'&$select=ListingKey,StreetName,StandardStatus,ModificationTimestamp,ListAgentKey",
  );
  const stored = new Map(listings.map((listing) => [String(listing['StreetName']), listing]));
  const told = new Set(
    (await readAll(target, "/EntityEvent?$select=ResourceRecordKey&$filter=ResourceName eq 'Property'")).map((event) =>
      String(event['ResourceRecordKey']),
    ),
  );
  const lost = [...record.acknowledged]
    .filter(([name, key]) => stored.get(name)?.['ListingKey'] !== key)
    .map(([name]) => `${name} was acknowledged and is not there`);
  const torn = listings
    .filter((listing) => Object.values(listing).includes(null) || !told.has(String(listing['ListingKey'])))
    .map((listing) => `${String(listing['StreetName'])} is there in part`);
  const known = (name: string): boolean => record.acknowledged.has(name) || record.unknown.has(name);
  const strange = [...stored.keys()].filter((name) => !known(name)).map((name) => `${name} was never sent`);
  return [...lost, ...torn, ...strange];
}

type Listing = { readonly [name: string]: unknown };

async function readAll({ url, ...target }: Target, path: string): Promise<readonly Listing[]> {
  const found: Listing[] = [];
  let next: string | undefined = `${url}/odata${path.replaceAll(' ', '%20')}`;
  while (next !== undefined) {
    const response: Response = await answerTo(next, target);
    if (response.status !== 200) throw new Error(`${next} is ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as { readonly value: readonly Listing[]; readonly '@odata.nextLink'?: string };
    found.push(...page.value);
    next = page['@odata.nextLink'];
  }
  return found;
}

// The write was acknowledged; a read may still use a connection that the blow cut, and retries as the answer asks.
async function answerTo(url: string, { token }: Pick<Target, 'token'>): Promise<Response> {
  const ask = (): Promise<Response> => fetch(url, { headers: { Authorization: `Bearer ${token}`, Prefer: 'odata.maxpagesize=1000' } });
  let response = await ask();
  await until(async () => {
    if (response.status !== 503) return true;
    await response.body?.cancel();
    response = await ask();
    return false;
  });
  return response;
}
