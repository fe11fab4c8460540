import { randomUUID } from 'node:crypto';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection, Statement } from '../../sql/statement.js';
import { hookMembers, hookOf } from './hook-row.js';
import { hookTableName } from './hook-table.js';
import type { Hook, HookOptions } from './hook.js';
import { sealBearer } from './secrets.js';

/** Runs statements. */
type Running = Pick<Connection, 'run'>;

/** Limits the operations to the hooks of an owner; all without one. */
interface Owned {
  readonly id: string;
  readonly owner?: string;
}

/** The most hooks that one owner may have. */
export const mostHooks = 20;

/** Stores a hook; undefined if the id is taken, or the owner has the most hooks already. */
export async function addHook(options: HookOptions, position: string, serviceSecret: string, { run }: Running): Promise<Hook | undefined> {
  const { id, address, format, sets, operations, scopes, member, owner, bearer } = options;
  const seed = randomUUID();
  const values = {
    id,
    address,
    format,
    sets: sets?.join(' '),
    operations: operations?.join(' '),
    scopes: scopes.join(' '),
    member,
    owner,
    bearer: bearer === undefined ? undefined : sealBearer(bearer, { seed }, serviceSecret),
    seed,
  };
  const builder = new StatementBuilder();
  const bound = Object.values(values).map((value) => builder.bind(value ?? null, 'text'));
  const others = `select from ${hookTableName} where owner = ${builder.bind(owner ?? null, 'text')} offset ${mostHooks - 1}`;
  const [row] = await run(
    builder.unfilteredStatement(
      `insert into ${hookTableName} (${Object.keys(values).join(', ')}, position) select ${bound.join(', ')}, ${builder.bind(position, 'bigint')} where not exists (${others}) on conflict do nothing returning ${hookMembers}`,
    ),
  );
  return row && hookOf(row);
}

/** Hooks in the order of their creation. */
export async function listHooks(owner: string | undefined, { run }: Running): Promise<readonly Hook[]> {
  const builder = new StatementBuilder();
  const where = owner === undefined ? '' : ` where owner = ${builder.bind(owner, 'text')}`;
  const rows = await run(builder.locklessStatement(`select ${hookMembers} from ${hookTableName}${where} order by created_at, id`));
  return rows.map(hookOf);
}

/** A hook by its id. */
export async function findHook(owned: Owned, { run }: Running): Promise<Hook | undefined> {
  const builder = new StatementBuilder();
  const [row] = await run(builder.locklessStatement(`select ${hookMembers} from ${hookTableName} where ${isOwned(owned, builder)}`));
  return row && hookOf(row);
}

/** Begins again: without failures, and from another number if one is given. A process that is delivering loses its lease. */
const resumed = `state = 'active', reason = null, failures = 0, failing_since = null, next_try = now(), lease = null`;

// prettier-ignore
/** Changes of a hook. */
const changes = {
  pause: `state = 'paused'`,
  resume: resumed,
  rotate: 'secret_number = secret_number + 1, rotated_at = now()',
  confirm: `confirmed = true, reason = null, failures = 0, failing_since = null, next_try = now()`,
} as const;

/** Changes a hook; undefined if there is none. */
export async function changeHook(change: keyof typeof changes, owned: Owned, { run }: Running): Promise<Hook | undefined> {
  const [row] = await run(compileChange(changes[change], owned, new StatementBuilder()));
  return row && hookOf(row);
}

/** Resumes a hook behind a number. */
export async function resumeFrom(position: string, owned: Owned, { run }: Running): Promise<Hook | undefined> {
  const builder = new StatementBuilder();
  const set = `${resumed}, position = ${builder.bind(position, 'bigint')}, message = null, batch_to = null`;
  const [row] = await run(compileChange(set, owned, builder));
  return row && hookOf(row);
}

/** Removes a hook; false if there is none. */
export async function removeHook(owned: Owned, { run }: Running): Promise<boolean> {
  const builder = new StatementBuilder();
  const rows = await run(builder.unfilteredStatement(`delete from ${hookTableName} where ${isOwned(owned, builder)} returning 1`));
  return rows.length > 0;
}

function compileChange(set: string, owned: Owned, builder: StatementBuilder): Statement {
  return builder.unfilteredStatement(`update ${hookTableName} set ${set} where ${isOwned(owned, builder)} returning ${hookMembers}`);
}

function isOwned({ id, owner }: Owned, builder: StatementBuilder): string {
  const own = `id = ${builder.bind(id, 'text')}`;
  return owner === undefined ? own : `${own} and owner = ${builder.bind(owner, 'text')}`;
}
