import { ConfigError, readConfig } from '../../config/config.js';
import { withConnection } from '../../database/run.js';
import { isTracked } from '../../features/changes/tracked-tables.js';
import { networkList } from '../../features/webhooks/address.js';
import { parseFrom } from '../../features/webhooks/check-hook.js';
import { rotationHours } from '../../features/webhooks/hook-row.js';
import type { DeliveryParts } from '../../features/webhooks/deliver.js';
import { rootPath } from '../../app.js';
import { openDatabase, requireWritable, withDatabase } from '../embedded/open.js';
import { hookActions, type HookArguments, type HookResult } from './hook-actions.js';
import { namingRights } from './missing-right.js';
import { modelHere, requireProject } from './project.js';
import { unknownAction } from './usage.js';
import { flag, readArguments, text, texts } from './read-arguments.js';

/** The help text of `gable hook`. */
export const help = `gable hook: manages webhooks, which deliver the changes of tracked sets to consumers.

Usage: gable hook add NAME URL --scope "SCOPE ..." [--member KEY] [--format FORMAT] [--set SET]... [--operation OPERATION]...
                              [--bearer TOKEN] [--from NUMBER] [--json]
       gable hook list [--json]
       gable hook resume NAME [--from NUMBER] [--json]
       gable hook show | pause | rotate | remove | test NAME [--json]

  --scope "SCOPE ..."    the hook delivers what a token with these scopes could read; required if the model has scopes
  --member KEY           key of the member record, for rules that use it
  --format FORMAT        reso, cloudevents or standard (default: reso if the model has a set of events, otherwise standard)
  --set SET              only changes of this set; repeat it for more
  --operation OPERATION  only create, update or delete; repeat it for two
  --bearer TOKEN         token that the consumer expects in Authorization
  --from NUMBER          with add and resume: begin after the change with this number; 0 for all, now for later ones only

add and rotate print the secret that signs deliveries (Standard Webhooks); for ${rotationHours} hours the former one signs, too.
A running service delivers. The first request is a test; changes follow when the consumer has accepted it.
test sends one immediately. A hook stops after the last try of a delivery, until it is resumed.

Exit codes: 0 done, 1 internal error, or the consumer did not accept the test, 2 bad input

Examples:
  gable hook add crm https://crm.example/changes --scope listing.read.all --set Property
  gable hook test crm
  gable hook resume crm --from 1200
`;

/** Manages hooks; the schema must be up to date. */
export async function run(args: readonly string[]): Promise<number> {
  const parsed = readHook(args);
  const { verb, name } = parsed;
  const action = verb !== undefined && Object.hasOwn(hookActions, verb) ? hookActions[verb as keyof typeof hookActions] : undefined;
  if (action === undefined) throw unknownAction('gable hook', verb, Object.keys(hookActions));
  requireOptions(parsed);
  if (verb !== 'list') requireName(verb, name);
  requireProject('gable hook');
  const config = readConfig(process.env);
  const { container } = await modelHere();
  if (!isTracked(container)) throw new ConfigError('The model tracks no changes: annotate an entity set with Capabilities.ChangeTracking.');
  return withDatabase(openDatabase(config), async (database) => {
    if (verb !== 'list' && verb !== 'show') requireWritable(database, `gable hook ${verb}`);
    const parts: DeliveryParts = {
      root: `${config.publicUrl ?? `http://localhost:${config.port}`}${rootPath}`,
      container,
      secret: config.token.secret,
      sending: { allowed: networkList(config.webhookNetworks), timeout: config.webhookTimeout },
      tries: config.webhookTries,
      onDatabase: (work) => withConnection(database.pool, work),
    };
    const result = await namingRights(database, 'gable hook', () => action({ ...parsed, name: name ?? '', config, parts }));
    return print(result, parsed.json);
  });
}

function print({ json, text, note, exitCode = 0 }: HookResult, isJson: boolean): number {
  if (!isJson && note !== undefined) process.stderr.write(`${note}\n`);
  process.stdout.write(isJson ? `${JSON.stringify(json)}\n` : text);
  return exitCode;
}

function readHook(args: readonly string[]): HookArguments {
  const known = { scope: texts, set: texts, operation: texts, format: text, member: text, bearer: text, from: text, json: flag };
  const { values, positionals } = readArguments(args, known);
  const [verb, name, address, ...more] = positionals;
  const superfluous = verb === 'add' ? more : [...(verb === 'list' ? [name] : []), address, ...more].filter((one) => one !== undefined);
  if (superfluous.length > 0) throw new ConfigError(`gable hook: unexpected argument ${superfluous.join(' ')}.`);
  return { verb, name, address, ...values };
}

/** The options of add; resume has --from, too. */
const ofAdd = ['scope', 'set', 'operation', 'format', 'member', 'bearer'] as const;

function requireOptions(parsed: HookArguments): void {
  const { verb, from } = parsed;
  const isGiven = (name: (typeof ofAdd)[number]): boolean =>
    Array.isArray(parsed[name]) ? parsed[name].length > 0 : parsed[name] !== undefined;
  const wrong = verb === 'add' ? [] : ofAdd.filter(isGiven);
  if (from !== undefined && verb !== 'add' && verb !== 'resume') wrong.push('from' as never);
  if (wrong.length > 0) throw new ConfigError(`gable hook ${verb ?? ''} has no option ${wrong.map((name) => `--${name}`).join(', ')}.`);
  if (from !== undefined && parseFrom(from) === undefined)
    throw new ConfigError(`--from must be now, or the number of a change, not '${from}'.`);
}

function requireName(verb: string | undefined, name: string | undefined): void {
  if (name === undefined)
    throw new ConfigError(`gable hook ${verb} needs a name: gable hook ${verb} NAME${verb === 'add' ? ' URL --scope "SCOPE ..."' : ''}.`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new ConfigError('The name of a hook consists of at most 64 letters, digits, hyphens and underscores.');
}
