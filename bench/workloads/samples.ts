import type { Connection } from '../../runtime/sql/statement.js';

/** Values that the data has, for the requests of the workloads. */
export interface Samples {
  readonly listings: number;
  /** Keys of published listings, from all over the table. */
  readonly keys: readonly string[];
  readonly prices: readonly string[];
  readonly cities: readonly string[];
  readonly materials: readonly string[];
  /** Two words that the remarks of many listings have. */
  readonly remarks: readonly string[];
  readonly member: string;
  readonly office: string;
}

/** Reads them; the same database gives the same samples. */
export async function readSamples({ run }: Connection): Promise<Samples> {
  const column = async (text: string): Promise<readonly string[]> => (await run({ text, bind: [] })).map(([cell]) => cell ?? '');
  const [listings = '0'] = await column('select count(*) from "Property"');
  const [member = ''] = await column('select "MemberKey" from "Member" order by 1 limit 1');
  const [office = ''] = await column('select "MemberKey" from "Member" order by 1 desc limit 1');
  return {
    listings: Number(listings),
    keys: await column(`select "ListingKey" from "Property" where "StandardStatus" <> 'Incomplete' order by md5("ListingKey") limit 1000`),
    prices: await column(pricesText),
    cities: await column('select "City" from "Property" group by 1 having count(*) > 60 order by 1'),
    materials: await column('select m from "Property", unnest("ConstructionMaterials") m group by 1 having count(*) > 60 order by 1'),
    remarks: await column(remarksText),
    member,
    office,
  };
}

// The cheapest and the dearest fifth are left out: a search that finds nearly all or nearly nothing is another workload.
const pricesText = `select p from (
    select round("ListPrice")::text as p, ntile(5) over (order by "ListPrice") as fifth from "Property" where "StandardStatus" = 'Active' and "ListPrice" is not null
  ) prices where fifth between 2 and 4 group by p order by md5(p) limit 200`;

const remarksText = `select w from (
    select substring("PublicRemarks" from '[A-Z][a-z]+ [A-Z][a-z]+') as w from "Property"
  ) words where w is not null group by w having count(*) > 60 order by 1`;
