import { ConfigError, type Config } from '../../config/config.js';
import { type ErrorDetail, ODataError } from '../../errors/odata-error.js';
import { checkHook } from '../../features/webhooks/check-hook.js';
import { refusalOf, testHook, type DeliveryParts } from '../../features/webhooks/deliver.js';
import { addHook, changeHook, findHook, listHooks, removeHook, resumeHook } from '../../features/webhooks/hook-store.js';
import type { Hook } from '../../features/webhooks/hook.js';
import { behind, gapOf, hookJson, testJson } from '../../features/webhooks/print-hook.js';
import { signingSecret } from '../../features/webhooks/secrets.js';
import { parseScopes } from './token.js';

/** The arguments of `gable hook`. */
export interface HookArguments {
  readonly verb: string | undefined;
  readonly name: string | undefined;
  readonly address: string | undefined;
  readonly scope: readonly string[];
  readonly set: readonly string[];
  readonly operation: readonly string[];
  readonly format?: string | undefined;
  readonly member?: string | undefined;
  readonly bearer?: string | undefined;
  readonly from?: string | undefined;
  readonly json: boolean;
}

interface Context extends HookArguments {
  readonly name: string;
  readonly config: Config;
  readonly parts: DeliveryParts;
}

/** The output of an action; its exit code is 0 by default. */
export interface HookResult {
  readonly json: object;
  readonly text: string;
  readonly exitCode?: number;
  /** A line for standard error, so that a script can read the secret from standard output. */
  readonly note?: string;
}

/** The actions by their names. */
export const hookActions = { add, list, show, pause, resume, rotate, remove, test };

async function add(context: Context): Promise<HookResult> {
  const { name, address, scope, set, operation, format, member, bearer, from = 'now', config } = context;
  const { container, onDatabase, sending } = context.parts;
  const faults: ErrorDetail[] = [];
  const given = { id: name, address, scopes: parseScopes(scope, container), sets: set, operations: operation, format, member, bearer };
  const options = checkHook(given, { container, allowed: sending.allowed }, faults);
  if (faults.length > 0) throw new ConfigError(faults.map(({ message }) => message).join('\n'));
  const hook = await onDatabase((connection) => addHook(options, { from, secret: config.token.secret }, connection)).catch(asMistake);
  if (hook === undefined) throw new ConfigError(`There is a hook ${name} already; choose another name, or remove it.`);
  return withSecret(hook, config);
}

// The number of --from is compared with those of the log in the database.
function asMistake(failure: unknown): never {
  throw failure instanceof ODataError && failure.status === 400 ? new ConfigError(failure.message) : failure;
}

function withSecret(hook: Hook, { token }: Config): HookResult {
  const secret = signingSecret(hook, token.secret);
  return { json: { ...hookJson(hook), secret }, text: `${secret}\n`, note: `The secret that signs deliveries to ${hook.id}:` };
}

async function list({ parts }: Context): Promise<HookResult> {
  const hooks = await parts.onDatabase((connection) => listHooks(undefined, connection));
  return { json: { hooks: hooks.map(hookJson) }, text: hooks.map(hookLine).join('') };
}

async function show({ name, parts }: Context): Promise<HookResult> {
  const hook = existing(await parts.onDatabase((connection) => findHook({ id: name }, connection)), name);
  return { json: hookJson(hook), text: hookText(hook) };
}

function existing(hook: Hook | undefined, name: string): Hook {
  if (hook === undefined) throw new ConfigError(`There is no hook ${name}; gable hook list prints all.`);
  return hook;
}

async function pause({ name, parts }: Context): Promise<HookResult> {
  const hook = existing(await parts.onDatabase((connection) => changeHook('pause', { id: name }, connection)), name);
  return { json: hookJson(hook), text: `${name} is paused at ${hook.position}.\n` };
}

async function resume({ name, from, parts }: Context): Promise<HookResult> {
  const hook = existing(await parts.onDatabase((connection) => resumeHook(from, { id: name }, connection)).catch(asMistake), name);
  const gap = gapOf(hook);
  const more = gap === undefined ? '' : `, but ${gap}: the consumer has to compare its keys with those of the service`;
  return { json: hookJson(hook), text: `${name} continues after ${hook.position}${more}.\n` };
}

async function rotate({ name, config, parts }: Context): Promise<HookResult> {
  return withSecret(existing(await parts.onDatabase((connection) => changeHook('rotate', { id: name }, connection)), name), config);
}

async function remove({ name, parts }: Context): Promise<HookResult> {
  const isRemoved = await parts.onDatabase((connection) => removeHook({ id: name }, connection));
  if (!isRemoved) existing(undefined, name);
  return { json: { id: name, removed: true }, text: `${name} is removed.\n` };
}

async function test({ name, parts }: Context): Promise<HookResult> {
  const hook = existing(await parts.onDatabase((connection) => findHook({ id: name }, connection)), name);
  const reply = await testHook(hook, parts);
  const reason = refusalOf(reply);
  const text = reason === undefined ? `${hook.address} accepts deliveries.\n` : `${hook.address} does not accept deliveries: ${reason}.\n`;
  return { json: testJson(reply), text, exitCode: reason === undefined ? 0 : 1 };
}

/** A hook in one line: its state, and how far it is behind. */
function hookLine(hook: Hook): string {
  const { id, address, reason, failures } = hook;
  // An answer with Retry-After is no failure: it has a reason, but is not counted.
  const failing = reason === undefined ? [] : [failures > 0 ? `${failures} failures: ${reason}` : reason];
  return `${[id, stateOf(hook), `${behind(hook)} behind`, address, ...failing].join('  ')}\n`;
}

function stateOf({ state, confirmed }: Hook): string {
  return state === 'active' && !confirmed ? 'not confirmed' : state;
}

/** A hook with all that is known of it, a line each. */
function hookText(hook: Hook): string {
  const { id, address, format, sets, operations, scopes, member, owner, position, last, reason } = hook;
  const { failures, failingSince, nextTry, state, created, delivered, sealedBearer } = hook;
  const isWaiting = state === 'active' && failingSince !== undefined;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['name', id],
    ['address', address],
    ['format', format],
    ['sets', sets?.join(' ') ?? 'all'],
    ['operations', operations?.join(' ') ?? 'all'],
    ['scopes', scopes.join(' ')],
    ['member', member],
    ['owner', owner],
    ['bearer', sealedBearer === undefined ? undefined : '********'],
    ['state', stateOf(hook)],
    ['position', `${position} of ${last}`],
    ['gap', gapOf(hook)],
    ['failures', failures === 0 ? undefined : String(failures)],
    ['reason', reason],
    ['failing since', failingSince],
    ['next try', isWaiting ? nextTry : undefined],
    ['created', created],
    ['delivered', delivered],
  ];
  return rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name.padEnd(14)}${value}\n`])).join('');
}
