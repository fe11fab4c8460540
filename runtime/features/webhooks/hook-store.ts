import { randomUUID } from 'node:crypto';
import { errors } from '../../errors/catalogue.js';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection, Statement } from '../../sql/statement.js';
import { readHorizon } from '../changes/log-state.js';
import { hookColumn, hookOf, hookTableName } from './hook-row.js';
import type { Hook, HookOptions } from './hook.js';
import { sealBearer } from './secrets.js';

type Running = Pick<Connection, 'run'>;

/** Limits the operations to the hooks of an owner; all without one. */
interface Owned {
  readonly id: string;
  readonly owner?: string;
}

/** The most hooks that one owner may have. */
export const mostHooks = 20;

/**
 * Stores a hook that begins after the number of a change, or `now`; refuses a number after the last one. Undefined if the
 * id is taken, or the owner has the most hooks already.
 */
export async function addHook(
  options: HookOptions,
  { from, secret }: { readonly from: string; readonly secret: string },
  { run }: Running,
): Promise<Hook | undefined> {
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
    bearer: bearer === undefined ? undefined : sealBearer(bearer, { seed }, secret),
    seed,
  };
  const builder = new StatementBuilder();
  const bound = Object.values(values).map((value) => builder.bind(value ?? null, 'text'));
  const others = `select from ${hookTableName} where owner = ${builder.bind(owner ?? null, 'text')} offset ${mostHooks - 1}`;
  const [row] = await run(
    builder.unfilteredStatement(
      `insert into ${hookTableName} (${Object.keys(values).join(', ')}, position) select ${bound.join(', ')}, ${builder.bind(await numberOf(from, { run }), 'bigint')} where not exists (${others}) on conflict do nothing returning ${hookColumn}`,
    ),
  );
  return row && hookOf(row);
}

/** Hooks in the order of their creation. */
export async function listHooks(owner: string | undefined, { run }: Running): Promise<readonly Hook[]> {
  const builder = new StatementBuilder();
  const where = owner === undefined ? '' : ` where owner = ${builder.bind(owner, 'text')}`;
  const rows = await run(builder.locklessStatement(`select ${hookColumn} from ${hookTableName}${where} order by created_at, id`));
  return rows.map(hookOf);
}

/** A hook by its id. */
export async function findHook(owned: Owned, { run }: Running): Promise<Hook | undefined> {
  const builder = new StatementBuilder();
  const [row] = await run(builder.locklessStatement(`select ${hookColumn} from ${hookTableName} where ${isOwned(owned, builder)}`));
  return row && hookOf(row);
}

/** Begins again: without failures, and from another number if one is given. A process that is delivering loses its lease. */
const resumed = `state = 'active', reason = null, failures = 0, failing_since = null, next_try = now(), lease = null`;

// oxfmt-ignore
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

/** Resumes a hook where it is, or after a number or `now`. */
export async function resumeHook(from: string | undefined, owned: Owned, { run }: Running): Promise<Hook | undefined> {
  if (from === undefined) return changeHook('resume', owned, { run });
  const builder = new StatementBuilder();
  const position = builder.bind(await numberOf(from, { run }), 'bigint');
  const [row] = await run(compileChange(`${resumed}, position = ${position}, message = null, batch_to = null`, owned, builder));
  return row && hookOf(row);
}

// A hook after a later number than the last one would wait for it in silence.
async function numberOf(from: string, connection: Running): Promise<string> {
  const last = await readHorizon(connection);
  if (from === 'now') return last;
  if (BigInt(from) > BigInt(last)) throw errors.invalidValue(from, 'from', `: the last change has the number ${last}`);
  return from;
}

/** Removes a hook; false if there is none. */
export async function removeHook(owned: Owned, { run }: Running): Promise<boolean> {
  const builder = new StatementBuilder();
  const rows = await run(builder.unfilteredStatement(`delete from ${hookTableName} where ${isOwned(owned, builder)} returning 1`));
  return rows.length > 0;
}

function compileChange(set: string, owned: Owned, builder: StatementBuilder): Statement {
  return builder.unfilteredStatement(`update ${hookTableName} set ${set} where ${isOwned(owned, builder)} returning ${hookColumn}`);
}

function isOwned({ id, owner }: Owned, builder: StatementBuilder): string {
  const own = `id = ${builder.bind(id, 'text')}`;
  return owner === undefined ? own : `${own} and owner = ${builder.bind(owner, 'text')}`;
}
