import { propertyFields } from '../../generated/property/fields.js';
import { plainColumns } from './columns.js';
import { floorStatement } from './protocol.js';

const record = plainColumns('p', propertyFields);
const clock = `date_trunc('second', clock_timestamp())`;

/** A draft with its event. Values: agent, office, type, number, street, city. */
export const createListing = floorStatement(
  'create',
  `
  with n as (select ${next('Property')} as id, ${clock} as now),
    ${event('n', `'Draft' || n.id`, `'c'`)}
  insert into "Property" as p ("#id", "ListingKey", "ListAgentKey", "ListOfficeKey", "PropertyType", "StreetNumber", "StreetName", "City",
    "StandardStatus", "ContractStatus", "MlsStatus", "PhotosCount", "OriginatingSystemName", "OriginalEntryTimestamp", "ModificationTimestamp")
  select id, 'Draft' || id, $1, $2, $3, $4, $5, $6, 'Incomplete', 'Draft', 'Draft', 0, 'Gable', now, now from n
  returning ${record}`,
);

/** Leaving the draft: status, key, the children's copies of the key, events for both keys and history. Values: number, member. */
export const publishListing = floorStatement(
  'publish',
  `
  with u as (update "Property" as p set "#version" = p."#version" + 1, "StandardStatus" = 'Active', "ContractStatus" = 'Available', "MlsStatus" = 'New',
      "ListingKey" = p."#id"::text, "ChangedByMemberKey" = $2, "MajorChangeType" = 'New Listing', "MajorChangeTimestamp" = ${clock},
      "StatusChangeTimestamp" = ${clock}, "ModificationTimestamp" = greatest(p."ModificationTimestamp", ${clock})
      where p."#id" = $1::bigint returning p."#id" as id, ${record}),
    ${['Media:ResourceRecordKey', 'PropertyRooms:ListingKey', 'OpenHouse:ListingKey'].map(copies).join(', ')},
    ${event(`(select 'Draft' || u.id as key, 'd' as kind from u union all select u.id::text, 'c' from u) keys`, 'keys.key', 'keys.kind')},
    ${history(`('StandardStatus', 'Incomplete', 'Active'), ('ContractStatus', 'Draft', 'Available'), ('MlsStatus', 'Draft', 'New')`, 'Status Change')}
  select ${plainColumns('u', propertyFields)} from u`,
);

/** A new price. Values: number, member, price. */
export const priceListing = floorStatement(
  'price',
  `
  with b as (select "ListPrice" as price, ${clock} as now from "Property" where "#id" = $1::bigint for update),
    u as (update "Property" as p set "#version" = p."#version" + 1, "ListPrice" = $3::numeric(14, 2), "ChangedByMemberKey" = $2,
      "OriginalListPrice" = coalesce(p."OriginalListPrice", $3::numeric(14, 2)), "PreviousListPrice" = b.price,
      "PriceChangeTimestamp" = case when b.price is not null then now end, "ModificationTimestamp" = greatest(p."ModificationTimestamp", now)
      from b where p."#id" = $1::bigint returning p."#id" as id, ${record}),
    ${event('u', 'u.id::text', `'u'`)},
    ${history(`('ListPrice', (select price::text from b), $3::numeric(14, 2)::text)`, 'Price Change')}
  select ${plainColumns('u', propertyFields)} from u`,
);

/** The end of a listing, and its event. Value: number. */
export const deleteListing = floorStatement(
  'delete',
  `
  with d as (delete from "Property" where "#id" = $1::bigint returning "ListingKey"),
    ${event('d', 'd."ListingKey"', `'d'`)}
  select 1 from d`,
);

function next(table: string): string {
  return `nextval(pg_get_serial_sequence('"${table}"', '#id'))`;
}

function event(source: string, key: string, kind: string): string {
  return `e as (insert into "#changes" ("#set", "#key", "#operation") select 'Property', ${key}, ${kind} from ${source})`;
}

function history(changes: string, kind: string): string {
  return `v as (select ${next('HistoryTransactional')} as number, * from (values ${changes}) c (field, before, after)),
    h as (insert into "HistoryTransactional" ("#id", "HistoryTransactionalKey", "ResourceName", "ResourceRecordKey", "FieldName", "PreviousValue", "NewValue",
      "ChangeType", "ChangedByMemberKey", "ModificationTimestamp")
      select number, number, 'Property', $1::bigint::text, field, before, after, '${kind}', $2, ${clock} from v)`;
}

function copies(place: string): string {
  const [table, column] = place.split(':');
  return `"${table}_copy" as (update "${table}" set "${column}" = $1::bigint::text where "#Property" = $1::bigint)`;
}
