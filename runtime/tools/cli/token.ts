import { randomBytes } from 'node:crypto';
import { ConfigError, readConfig } from '../../config/config.js';
import type { EntityContainer } from '../../edm/entity-container.js';
import { hookScope } from '../../features/webhooks/hook.js';
import { issueToken } from '../../identity/authenticate.js';
import { hashOf } from '../../identity/static-tokens.js';
import { expiryOf } from '../../identity/token.js';
import { scopesOf } from '../../plan/caller.js';
import { modelHere } from './project.js';
import { flag, readOptions, text, texts } from './read-arguments.js';

/** The help text of `gable token`. */
export const help = `gable token: issues a bearer token for development, signed with this service's secret.

Usage: gable token [--scope "SCOPE ..."] [--member KEY] [--subject NAME] [--hours N] [--json]
       gable token --static --subject NAME [--scope "SCOPE ..."] [--json]

  --scope "SCOPE ..."  scopes of the token, together or one by one; required if the model has scopes
  --member KEY         key of the bearer's member record, for rules that use it
  --subject NAME       name of the bearer (default developer)
  --hours N            lifetime in hours (default 24)
  --json               print one JSON object instead of text: the token, its claims and its expiry

With --static the token never expires: the first line is the token, the second its entry for GABLE_STATIC_TOKENS.
The entry contains only the hash; remove it to revoke the token.

Exit codes: 0 issued, 1 internal error, 2 bad input

Examples:
  gable token --scope listing.read
  gable token --scope "listing.read.all listing.write" --member M1 --hours 8
  TOKEN=$(gable token --scope listing.read --json | jq -r .token)
`;

const longestLife = 24 * 366;

/** Prints only the token, for command substitution, unless JSON is requested. */
export async function run(args: readonly string[]): Promise<number> {
  const values = readOptions(args, { scope: texts, member: text, subject: text, hours: text, static: flag, json: flag });
  const { explainScope, token: settings } = readConfig(process.env);
  const scopes = parseScopes(values.scope, (await modelHere()).container, explainScope);
  if (values.static) return printStatic(values.subject, scopes, values.json);
  const hours = Number(values.hours ?? '24');
  if (!(hours > 0 && hours <= longestLife)) throw new ConfigError(`--hours must be a number greater than 0, and at most ${longestLife}.`);
  const claims = { subject: values.subject ?? 'developer', scopes, lifetime: Math.round(hours * 3600) };
  const token = await issueToken({ ...claims, ...(values.member !== undefined && { member: values.member }) }, settings);
  const output = { token, subject: claims.subject, scopes, member: values.member ?? null, expires: expiryOf(token) };
  process.stdout.write(values.json ? `${JSON.stringify(output)}\n` : `${token}\n`);
  return 0;
}

function printStatic(subject: string | undefined, scopes: readonly string[], json: boolean): number {
  if (subject === undefined || !/^[A-Za-z0-9._-]{1,64}$/.test(subject))
    throw new ConfigError('--static needs --subject NAME: at most 64 letters, digits, dots, hyphens and underscores.');
  const token = randomBytes(32).toString('base64url');
  const entry = `${hashOf(token)}:${subject}:${scopes.join(' ')}`;
  const output = { token, subject, scopes, member: null, expires: null, entry };
  process.stdout.write(json ? `${JSON.stringify(output)}\n` : `${token}\n${entry}\n`);
  return 0;
}

/** The scopes of `--scope`, space-separated or repeated; warns about unknown ones, and requires one where the model has any. */
export function parseScopes(given: readonly string[], container: EntityContainer, explainScope?: string): readonly string[] {
  const scopes = given.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  const known = scopesOf(container);
  const [example] = known;
  if (scopes.length === 0 && example !== undefined) throw new ConfigError(`--scope is missing, for example --scope ${example}.`);
  // A token may be for other services, so an unknown scope is no error; but most often it is a typing mistake.
  const unknown = scopes.filter((scope) => !known.has(scope) && scope !== hookScope && scope !== explainScope);
  const has = known.size === 0 ? 'the model has no scopes' : `the scopes are ${[...known].join(', ')}`;
  if (unknown.length > 0) process.stderr.write(`Unknown scope ${unknown.join(', ')}; ${has}.\n`);
  return scopes;
}
