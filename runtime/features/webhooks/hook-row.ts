import { changeStateColumns, changeStateTable } from '../../edm/index.js';
import { quote } from '../../schema/identifier.js';
import type { Row } from '../../sql/statement.js';
import { clientTableName } from '../../identity/client-store.js';
import { lastNumberDrawn } from '../../schema/change-mark.js';
import type { Operation } from '../changes/read-changes.js';
import type { Hook, HookFormat } from './hook.js';

/** Hours for which the previous secret signs, too. */
export const rotationHours = 24;

/** The time of a column in ISO 8601. */
function timeOf(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** The condition that the owner of a hook is a client that was revoked. */
export const isRevoked = `exists (select from ${clientTableName} c where c.id = owner and c.revoked_at is not null)`;

// oxfmt-ignore
/** The expressions of a hook's members, in the order of `hookOf`. */
const members = [
  'id', 'address', 'format', 'sets', 'operations', 'scopes', 'member', 'owner', 'bearer', 'seed', 'secret_number',
  `coalesce(rotated_at > now() - interval '${rotationHours} hours', false)`, `case when ${isRevoked} then 'stopped' else state end`,
  `case when ${isRevoked} then 'the client that added it is revoked' else reason end`, 'confirmed', 'position',
  `(${lastNumberDrawn})`, 'failures', timeOf('failing_since'), timeOf('next_try'), timeOf('created_at'), timeOf('delivered_at'),
  `(select ${quote(changeStateColumns.floor)} from ${quote(changeStateTable)})`,
];

/** The select list of hooks. */
export const hookMembers = members.join(', ');

/** The hook of a row with the select list of hooks; further columns follow it. */
export function hookOf(row: Row): Hook {
  const [id, address, format, sets, operations, scopes, member, owner, bearer, seed, secretNumber, isRotating] = row;
  const [state, reason, confirmed, position, last, failures, failingSince, nextTry, created, delivered, floor] = row.slice(12);
  return {
    id: id ?? '',
    address: address ?? '',
    format: format as HookFormat, // As `addHook` wrote it, like the next ones.
    ...(sets != null && { sets: sets.split(' ') }),
    ...(operations != null && { operations: operations.split(' ') as Operation[] }),
    scopes: (scopes ?? '').split(' ').filter((scope) => scope !== ''),
    ...(member != null && { member }),
    ...(owner != null && { owner }),
    ...(bearer != null && { sealedBearer: bearer }),
    seed: seed ?? '',
    secretNumber: Number(secretNumber),
    isRotating: isRotating === 't',
    state: state as Hook['state'],
    ...(reason != null && { reason }),
    confirmed: confirmed === 't',
    position: position ?? '0',
    last: last ?? '0',
    floor: floor ?? '0',
    failures: Number(failures),
    ...(failingSince != null && { failingSince }),
    nextTry: nextTry ?? '',
    created: created ?? '',
    ...(delivered != null && { delivered }),
  };
}

/** The number of columns of the select list. */
export const hookWidth = members.length;
