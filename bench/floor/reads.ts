import { mediaFields } from '../../generated/media/fields.js';
import { propertyFields } from '../../generated/property/fields.js';
import { propertyRoomsFields } from '../../generated/property-rooms/fields.js';
import { summaryProperties } from '../workloads/queries.js';
import { jsonColumns, plainColumns, type Columns } from './columns.js';
import { floorStatement, type FloorStatement } from './protocol.js';

/** The statements of the reading workloads, in one of the two ways. */
export interface Reads {
  /** Each row is one JSON text. */
  readonly json: boolean;
  readonly W1: FloorStatement;
  readonly W2: FloorStatement;
  readonly W3: FloorStatement;
  readonly W4: FloorStatement;
  readonly W5: FloorStatement;
  readonly W9: FloorStatement;
  readonly W10: FloorStatement;
  readonly W11: FloorStatement;
  readonly W12: FloorStatement;
  readonly firstPage: FloorStatement;
  readonly nextPage: FloorStatement;
}

const officeOfAgent = `join "Member" a on a."MemberKey" = p."ListAgentKey" join "Office" o on o."OfficeKey" = a."OfficeKey"`;

const ownListing = `select row_to_json(l) from (select q."ListingKey", q."City" from "Property" q where q."#id" = m."#Property") l`;
const lastMedia = `select m."MediaKey", m."Order", (${ownListing}) as "Property" from "Media" m where m."#Property" = p."#id" and m."Order" >= 2 order by m."Order" desc limit 10`;
const nested = `coalesce((select json_agg(m) from (${lastMedia}) m), '[]') as "Media"`;

/** F2: plain columns. */
export const plainReads: Reads = readsWith('F2', plainColumns, false, (text) => text);

/** F1: PostgreSQL builds each row's JSON. */
export const jsonReads: Reads = readsWith('F1', jsonColumns, true, (text) => `select row_to_json(r) from (${text}) r`);

function readsWith(level: string, columns: Columns, json: boolean, wrap: (text: string) => string): Reads {
  const all = columns('p', propertyFields);
  const summary = columns('p', propertyFields, summaryProperties);
  const named = (name: string, text: string): FloorStatement => floorStatement(`${level}_${name}`, wrap(text));
  const page = `from "Property" p`;
  const order = `order by p."ModificationTimestamp", p."ListingKey" limit 1000`;
  return {
    json,
    W1: named('W1', `select ${all} from "Property" p where p."#id" = $1`),
    W2: named(
      'W2',
      `select ${summary} from "Property" p where p."StandardStatus" = 'Active' and p."ListPrice" >= $1 order by p."ModificationTimestamp" desc, p."#id" desc limit 50`,
    ),
    W3: named('W3', `select ${all}, ${children(columns)} from "Property" p where p."City" = $1 order by p."#id" limit 50`),
    W4: floorStatement(`${level}_W4`, `select count(*) from "Property" p where p."StandardStatus" = 'Active' and p."ListPrice" >= $1`),
    W5: named('W5', `select ${summary} from "Property" p where p."ConstructionMaterials" @> array[$1]::text[] order by p."#id" limit 50`),
    W9: named(
      'W9',
      `select ${columns('p', propertyFields, ['ListingKey', 'City'])}, ${nested} from "Property" p where p."City" = $1 order by p."#id" limit 50`,
    ),
    W10: named('W10', `select p."City", count(*) as "N", avg(p."ListPrice") as "A" from "Property" p group by p."City" order by p."City"`),
    W11: named('W11', `select ${summary} from "Property" p ${officeOfAgent} where o."OfficeCity" = $1 order by p."#id" limit 50`),
    W12: named('W12', `select ${summary} from "Property" p where p."PublicRemarks" like '%' || $1 || '%' order by p."#id" limit 50`),
    firstPage: named('first', `select ${all} ${page} ${order}`),
    nextPage: named('next', `select ${all} ${page} where (p."ModificationTimestamp", p."ListingKey") > ($1, $2) ${order}`),
  };
}

function children(columns: Columns): string {
  const media = `select ${columns('m', mediaFields)} from "Media" m where m."#Property" = p."#id" order by m."MediaKey"`;
  const rooms = `select ${columns('r', propertyRoomsFields)} from "PropertyRooms" r where r."#Property" = p."#id" order by r."RoomKey"`;
  return `coalesce((select json_agg(m) from (${media}) m), '[]') as "Media", coalesce((select json_agg(r) from (${rooms}) r), '[]') as "Rooms"`;
}
