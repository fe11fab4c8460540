import { parseArgs } from 'node:util';
import { ConfigError, readConfig, type Config } from '../../config/config.js';
import { withConnection } from '../../database/run.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import { readHorizon } from '../../features/changes/log-state.js';
import { isTracked } from '../../features/changes/tracked-tables.js';
import { networkList } from '../../features/webhooks/address.js';
import { checkHook, parseFrom } from '../../features/webhooks/check-hook.js';
import { type DeliveryParts, refusalOf, sendTest } from '../../features/webhooks/deliver.js';
import { addHook, changeHook, findHook, listHooks, removeHook, resumeFrom } from '../../features/webhooks/hook-store.js';
import type { Hook } from '../../features/webhooks/hook.js';
import { hookJson, testJson } from '../../features/webhooks/print-hook.js';
import { rotationHours } from '../../features/webhooks/hook-row.js';
import { signingSecret } from '../../features/webhooks/secrets.js';
import { rootPath } from '../../app.js';
import { openDatabase, requireWritable } from '../embedded/open.js';
import { hookLine, hookText } from './hook-text.js';
import { modelHere, requireProject } from './project.js';
import { parseScopes } from './token.js';

/** The help text of `gable hook`. */
export const help = `gable hook: manages webhooks, which deliver the changes of tracked sets to consumers.

Usage: gable hook add NAME URL --scope "SCOPE ..." [--member KEY] [--format FORMAT] [--set SET]... [--operation OPERATION]...
                              [--bearer TOKEN] [--from NUMBER] [--json]
       gable hook list [--json]
       gable hook show | pause | resume | rotate | remove | test NAME [--json]

  --scope "SCOPE ..."    the hook delivers what a token with these scopes could read; required if the model has scopes
  --member KEY           key of the member record, for rules that use it
  --format FORMAT        reso, cloudevents or standard (default: reso if the model has a set of events, otherwise standard)
  --set SET              only changes of this set; repeat it for more
  --operation OPERATION  only create, update or delete; repeat it for two
  --bearer TOKEN         token that the consumer expects in Authorization
  --from NUMBER          with add and resume: begin behind the change with this number; 0 for all, now for later ones only

add and rotate print the secret that signs deliveries (Standard Webhooks); for ${rotationHours} hours the former one signs, too.
A running service delivers. The first request is a test; changes follow when the consumer has accepted it.
test sends one at once. A hook whose deliveries failed too often is stopped until it is resumed.

Exit codes: 0 done, 1 internal error, or the consumer did not accept the test, 2 bad input

Examples:
  gable hook add crm https://crm.example/changes --scope listing.read.all --set Property
  gable hook test crm
  gable hook resume crm --from 1200
`;

type Arguments = ReturnType<typeof readArguments>;

/** What the actions use. */
interface Context extends Arguments {
  readonly name: string;
  readonly config: Config;
  readonly parts: DeliveryParts;
}

/** The output of an action; its exit code is 0 by default. */
interface Result {
  readonly json: object;
  readonly text: string;
  readonly exitCode?: number;
  /** A line for standard error, so that a script can read the secret from standard output. */
  readonly note?: string;
}

/** Manages hooks; the schema must be up to date. */
export async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args);
  const { verb, name } = parsed;
  const action = verb !== undefined && Object.hasOwn(actions, verb) ? actions[verb as keyof typeof actions] : undefined;
  if (action === undefined) throw new ConfigError(unknownAction(verb));
  requireOptions(parsed);
  if (verb !== 'list') requireName(name);
  requireProject('gable hook');
  const config = readConfig(process.env);
  const { container } = await modelHere();
  if (!isTracked(container)) throw new ConfigError('The model tracks no changes: annotate an entity set with Capabilities.ChangeTracking.');
  const database = await openDatabase(config);
  try {
    if (verb !== 'list' && verb !== 'show') requireWritable(database, `gable hook ${verb}`);
    const parts: DeliveryParts = {
      root: `${config.publicUrl ?? `http://localhost:${config.port}`}${rootPath}`,
      container,
      secret: config.token.secret,
      sending: { allowed: networkList(config.webhookNetworks), timeout: config.webhookTimeout },
      tries: config.webhookTries,
      onDatabase: (work) => withConnection(database.sequelize, work),
    };
    return print(await action({ ...parsed, name: name ?? '', config, parts }), parsed.json);
  } finally {
    await database.stop();
  }
}

function print({ json, text, note, exitCode = 0 }: Result, isJson: boolean): number {
  if (!isJson && note !== undefined) process.stderr.write(`${note}\n`);
  process.stdout.write(isJson ? `${JSON.stringify(json)}\n` : text);
  return exitCode;
}

function readArguments(args: readonly string[]): {
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
} {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      scope: { type: 'string', multiple: true, default: [] },
      set: { type: 'string', multiple: true, default: [] },
      operation: { type: 'string', multiple: true, default: [] },
      format: { type: 'string' },
      member: { type: 'string' },
      bearer: { type: 'string' },
      from: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [verb, name, address, ...more] = positionals;
  const superfluous = verb === 'add' ? more : [...(verb === 'list' ? [name] : []), address, ...more].filter((one) => one !== undefined);
  if (superfluous.length > 0) throw new ConfigError(`gable hook: unexpected argument ${superfluous.join(' ')}.`);
  return { verb, name, address, ...values };
}

const actions = { add, list, show, pause, resume, rotate, remove, test };

function unknownAction(verb: string | undefined): string {
  const names = Object.keys(actions)
    .join(', ')
    .replace(/, (\w+)$/, ' or $1');
  if (verb === undefined) return `gable hook: name an action: ${names}.`;
  return `gable hook has no '${verb}'.${suggestion(verb, Object.keys(actions)) || ` Write ${names}.`}`;
}

/** The options of add; resume has --from, too. */
const ofAdd = ['scope', 'set', 'operation', 'format', 'member', 'bearer'] as const;

function requireOptions(parsed: Arguments): void {
  const { verb, from } = parsed;
  const isGiven = (name: (typeof ofAdd)[number]): boolean =>
    Array.isArray(parsed[name]) ? parsed[name].length > 0 : parsed[name] !== undefined;
  const wrong = verb === 'add' ? [] : ofAdd.filter(isGiven);
  if (from !== undefined && verb !== 'add' && verb !== 'resume') wrong.push('from' as never);
  if (wrong.length > 0) throw new ConfigError(`gable hook ${verb ?? ''} has no option ${wrong.map((name) => `--${name}`).join(', ')}.`);
  if (from !== undefined && parseFrom(from) === undefined)
    throw new ConfigError(`--from must be now, or the number of a change, not '${from}'.`);
}

function requireName(name: string | undefined): void {
  if (name === undefined || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new ConfigError('The name of a hook consists of at most 64 letters, digits, hyphens and underscores.');
}

async function add({
  name,
  address,
  scope,
  set,
  operation,
  format,
  member,
  bearer,
  from = 'now',
  config,
  parts,
}: Context): Promise<Result> {
  const { container, onDatabase, sending } = parts;
  const faults: ErrorDetail[] = [];
  const given = { id: name, address, scopes: parseScopes(scope, container), sets: set, operations: operation, format, member, bearer };
  const options = checkHook(given, { container, allowed: sending.allowed }, faults);
  if (faults.length > 0) throw new ConfigError(faults.map(({ message }) => message).join('\n'));
  const hook = await onDatabase(async (connection) =>
    addHook(options, from === 'now' ? await readHorizon(connection) : from, config.token.secret, connection),
  );
  if (hook === undefined) throw new ConfigError(`There is a hook ${name} already; choose another name, or remove it.`);
  return withSecret(hook, config);
}

function withSecret(hook: Hook, { token }: Config): Result {
  const secret = signingSecret(hook, token.secret);
  return { json: { ...hookJson(hook), secret }, text: `${secret}\n`, note: `The secret that signs deliveries to ${hook.id}:` };
}

async function list({ parts }: Context): Promise<Result> {
  const hooks = await parts.onDatabase((connection) => listHooks(undefined, connection));
  return { json: { hooks: hooks.map(hookJson) }, text: hooks.map(hookLine).join('') };
}

async function show({ name, parts }: Context): Promise<Result> {
  const hook = existing(await parts.onDatabase((connection) => findHook({ id: name }, connection)), name);
  return { json: hookJson(hook), text: hookText(hook) };
}

function existing(hook: Hook | undefined, name: string): Hook {
  if (hook === undefined) throw new ConfigError(`There is no hook ${name}; gable hook list prints all.`);
  return hook;
}

async function pause({ name, parts }: Context): Promise<Result> {
  const hook = existing(await parts.onDatabase((connection) => changeHook('pause', { id: name }, connection)), name);
  return { json: hookJson(hook), text: `${name} is paused at ${hook.position}.\n` };
}

async function resume({ name, from, parts }: Context): Promise<Result> {
  const changed = await parts.onDatabase(async (connection) => {
    if (from === undefined) return changeHook('resume', { id: name }, connection);
    return resumeFrom(from === 'now' ? await readHorizon(connection) : from, { id: name }, connection);
  });
  const hook = existing(changed, name);
  return { json: hookJson(hook), text: `${name} continues behind ${hook.position}.\n` };
}

async function rotate({ name, config, parts }: Context): Promise<Result> {
  return withSecret(existing(await parts.onDatabase((connection) => changeHook('rotate', { id: name }, connection)), name), config);
}

async function remove({ name, parts }: Context): Promise<Result> {
  const isRemoved = await parts.onDatabase((connection) => removeHook({ id: name }, connection));
  if (!isRemoved) existing(undefined, name);
  return { json: { id: name, removed: true }, text: `${name} is removed.\n` };
}

async function test({ name, parts }: Context): Promise<Result> {
  const hook = existing(await parts.onDatabase((connection) => findHook({ id: name }, connection)), name);
  const reply = await sendTest(hook, parts);
  const reason = refusalOf(reply);
  if (reason === undefined) await parts.onDatabase((connection) => changeHook('confirm', { id: name }, connection));
  const text = reason === undefined ? `${hook.address} accepts deliveries.\n` : `${hook.address} does not accept deliveries: ${reason}.\n`;
  return { json: testJson(reply), text, exitCode: reason === undefined ? 0 : 1 };
}
