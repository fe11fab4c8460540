import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { issueToken } from '../identity/authenticate.js';
import { hashOf } from '../identity/static-tokens.js';
import { modelHere } from './project.js';
import { parseScopes } from './scopes.js';

/** Text of `gable token --help`. */
export const help = `gable token: issues a bearer token for development, signed with this service's secret.

Usage: gable token --scope "SCOPE ..." [--member KEY] [--subject NAME] [--hours N]

       gable token --static --subject NAME --scope "SCOPE ..."

With --static the token never expires: the first line is the token, the second its entry for GABLE_STATIC_TOKENS,
which holds its hash only and is where it can be ended.

Exit codes: 0 issued, 1 internal error, 2 bad input

Examples:
  gable token --scope listing.read
  gable token --scope "listing.read.all listing.write" --member M1 --hours 8
`;

const longestLife = 24 * 366;

/** Prints a token and nothing else, so that it can be used in a command substitution. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { scope: { type: 'string', multiple: true }, member: { type: 'string' }, subject: { type: 'string' }, hours: { type: 'string' }, static: { type: 'boolean' } },
  });
  const scopes = parseScopes(values.scope ?? [], (await modelHere()).container);
  if (scopes.length === 0) throw new ConfigError('--scope is missing, for example --scope listing.read.');
  if (values.static) return printStatic(values.subject, scopes);
  const hours = Number(values.hours ?? '24');
  if (!(hours > 0 && hours <= longestLife)) throw new ConfigError(`--hours must be a number up to ${longestLife}.`);
  const claims = { subject: values.subject ?? 'developer', scopes, lifetime: Math.round(hours * 3600) };
  const token = await issueToken({ ...claims, ...(values.member !== undefined && { member: values.member }) }, readConfig(process.env).token);
  process.stdout.write(`${token}\n`);
  return 0;
}

function printStatic(subject: string | undefined, scopes: readonly string[]): number {
  if (subject === undefined || !/^[A-Za-z0-9._-]{1,64}$/.test(subject)) throw new ConfigError('--subject is missing: whose token it is, in letters, digits, dots, hyphens and underscores.');
  const token = randomBytes(32).toString('base64url');
  process.stdout.write(`${token}\n${hashOf(token)}:${subject}:${scopes.join(' ')}\n`);
  return 0;
}
