import { changeStateColumns, changeStateTable } from '../../edm/index.js';
import { quote } from '../../schema/identifier.js';
import type { Row } from '../../sql/statement.js';
import { clientTableName } from '../../identity/client-store.js';
import { lastNumberDrawn } from '../../schema/change-mark.js';
import type { Hook } from './hook.js';

/** Name of the table of hooks. */
export const hookTableName = 'gable_hook';

/** The table of hooks. `message` and `batch_to` are those of the batch that is tried; `lease` is that of its process. */
export const hookTable = `CREATE TABLE IF NOT EXISTS ${hookTableName} (
  id text PRIMARY KEY,
  address text NOT NULL,
  format text NOT NULL,
  sets text,
  operations text,
  scopes text NOT NULL,
  member text,
  owner text,
  bearer text,
  seed text NOT NULL,
  secret_number integer NOT NULL DEFAULT 1,
  rotated_at timestamptz,
  state text NOT NULL DEFAULT 'active',
  reason text,
  confirmed boolean NOT NULL DEFAULT false,
  position bigint NOT NULL,
  message text,
  batch_to bigint,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  next_try timestamptz NOT NULL DEFAULT now(),
  lease text,
  leased_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz
)`;

/** Hours for which the previous secret signs, too. */
export const rotationHours = 24;

/** The time of a column in ISO 8601. */
function timeOf(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** The condition that the owner of a hook is a client that was revoked. */
export const isRevoked = `exists (select from ${clientTableName} c where c.id = owner and c.revoked_at is not null)`;

const members: { readonly [Name in keyof Required<Hook>]: string } = {
  id: 'id',
  address: 'address',
  format: 'format',
  sets: `string_to_array(sets, ' ')`,
  operations: `string_to_array(operations, ' ')`,
  scopes: `string_to_array(scopes, ' ')`,
  member: 'member',
  owner: 'owner',
  sealedBearer: 'bearer',
  seed: 'seed',
  secretNumber: 'secret_number',
  isRotating: `coalesce(rotated_at > now() - interval '${rotationHours} hours', false)`,
  state: `case when ${isRevoked} then 'stopped' else state end`,
  reason: `case when ${isRevoked} then 'the client that added it is revoked' else reason end`,
  confirmed: 'confirmed',
  position: 'position::text',
  last: `(${lastNumberDrawn})::text`,
  floor: `(select ${quote(changeStateColumns.floor)}::text from ${quote(changeStateTable)})`,
  failures: 'failures',
  failingSince: timeOf('failing_since'),
  nextTry: timeOf('next_try'),
  created: timeOf('created_at'),
  delivered: timeOf('delivered_at'),
};

/** The column with all of a hook, as JSON in which absent members are missing. */
export const hookColumn = `json_strip_nulls(json_build_object(${Object.entries(members)
  .map(([name, value]) => `'${name}', ${value}`)
  .join(', ')}))`;

/** The hook of a row that begins with this column. */
export function hookOf([hook]: Row): Hook {
  return JSON.parse(hook ?? '') as Hook; // As `addHook` wrote it.
}
