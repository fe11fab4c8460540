import { parseArgs } from 'node:util';
import { container } from '../../generated/index.js';
import { ConfigError, readConfig } from '../config.js';
import { issueToken } from '../http/authenticate.js';

/** Text of `gable token --help`. */
export const help = `gable token: issues a bearer token for development, signed with this service's secret.

Usage: gable token --scope "SCOPE ..." [--member KEY] [--subject NAME] [--hours N]

Examples:
  gable token --scope listing.read
  gable token --scope "listing.read.all listing.write" --member M1 --hours 8
`;

const longestLife = 24 * 366;

/** Prints a token and nothing else, so that it can be used in a command substitution. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { scope: { type: 'string', multiple: true }, member: { type: 'string' }, subject: { type: 'string' }, hours: { type: 'string' } },
  });
  const scopes = (values.scope ?? []).flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  if (scopes.length === 0) throw new ConfigError('--scope is missing, for example --scope listing.read.');
  warnUnknown(scopes);
  const hours = Number(values.hours ?? '24');
  if (!(hours > 0 && hours <= longestLife)) throw new ConfigError(`--hours must be a number up to ${longestLife}.`);
  const claims = { subject: values.subject ?? 'developer', scopes, lifetime: Math.round(hours * 3600) };
  const token = await issueToken({ ...claims, ...(values.member !== undefined && { member: values.member }) }, readConfig(process.env).token);
  process.stdout.write(`${token}\n`);
  return 0;
}

// A token is good for other services too, so this is no error; but most often it is a typing mistake.
function warnUnknown(scopes: readonly string[]): void {
  const lists = Object.values(container.entityTypes).flatMap(({ permissions: { read, insert, update, delete: remove } }) => [read, insert, update, remove]);
  const known = new Set(lists.flatMap((list) => (list ?? []).map(({ scope }) => scope)));
  const unknown = scopes.filter((scope) => !known.has(scope));
  if (unknown.length > 0) process.stderr.write(`The model knows no scope ${unknown.join(', ')}; it has ${[...known].join(', ')}.\n`);
}
