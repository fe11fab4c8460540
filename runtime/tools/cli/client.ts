import { randomBytes } from 'node:crypto';
import { ConfigError, readConfig } from '../../config/config.js';
import { openDatabase, requireWritable, withDatabase } from '../embedded/open.js';
import { inTransaction } from '../../database/transaction.js';
import { addClient, listClients, revokeClient, type ListedClient } from '../../identity/client-store.js';
import type { Connection } from '../../sql/statement.js';
import { namingRights } from './missing-right.js';
import { modelHere } from './project.js';
import { parseScopes } from './token.js';
import { unknownAction } from './usage.js';
import { flag, readArguments, text, texts } from './read-arguments.js';

/** The help text of `gable client`. */
export const help = `gable client: manages the clients that get tokens at /oauth2/token with a name and a secret.

Usage: gable client add NAME [--scope "SCOPE ..."] [--member KEY] [--json]
       gable client list [--json]
       gable client revoke NAME [--json]

add prints the secret. Only its hash is stored, so it cannot be shown again. A scope is required if the model has scopes.
A revoked client gets no further tokens; its existing tokens expire within an hour.

Exit codes: 0 done, 1 internal error, 2 bad input

Examples:
  gable client add replication --scope listing.read.all
  curl -u replication:SECRET -d grant_type=client_credentials http://localhost:4004/oauth2/token
  gable client revoke replication
`;

type Arguments = ReturnType<typeof readClient>;

/** Adds, lists or revokes clients; the schema must be up to date. */
export async function run(args: readonly string[]): Promise<number> {
  const parsed = readClient(args);
  const { verb } = parsed;
  if (verb !== 'add' && verb !== 'list' && verb !== 'revoke') throw unknownAction('gable client', verb, Object.keys(verbs));
  return withDatabase(openDatabase(readConfig(process.env)), async (database) => {
    if (verb !== 'list') requireWritable(database, `gable client ${verb}`);
    const act = (): Promise<string> => inTransaction(database.pool, (connection) => verbs[verb](parsed, connection));
    process.stdout.write(await namingRights(database, 'gable client', act));
    return 0;
  });
}

function readClient(args: readonly string[]) {
  const { values, positionals } = readArguments(args, { scope: texts, member: text, json: flag });
  const [verb, name, ...more] = positionals;
  if (more.length > 0) throw new ConfigError(`gable client: unexpected argument ${more.join(' ')}.`);
  return { verb, name, ...values };
}

const verbs: { readonly [Verb in 'add' | 'list' | 'revoke']: (args: Arguments, connection: Connection) => Promise<string> } = {
  add: async ({ name, scope, member, json }, connection) => {
    const id = requireName(name);
    const asked = parseScopes(scope, (await modelHere()).container);
    const secret = randomBytes(32).toString('base64url');
    if (!(await addClient({ id, scopes: asked, member }, secret, connection)))
      throw new ConfigError(`The name ${id} is or was in use; choose another name.`);
    if (json) return printed({ id, secret, scopes: asked, member: member ?? null });
    // On standard error, so that a script can read the secret.
    process.stderr.write(`The secret of ${id}; store it now, it is shown only once:\n`);
    return `${secret}\n`;
  },
  list: async ({ json }, connection) => {
    const clients = await listClients(connection);
    return json
      ? printed({ clients: clients.map((client) => ({ ...client, member: client.member ?? null, revoked: client.revoked ?? null })) })
      : clients.map(row).join('');
  },
  revoke: async ({ name, json }, connection) => {
    const id = requireName(name);
    if (!(await revokeClient(id, connection))) throw new ConfigError(`There is no active client ${id}.`);
    return json ? printed({ id, revoked: true }) : `${id} gets no further tokens.\n`;
  },
};

function printed(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function requireName(name: string | undefined): string {
  if (name !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(name)) return name;
  throw new ConfigError('The name of a client consists of at most 64 letters, digits, dots, hyphens and underscores.');
}

function row({ id, scopes, member, created, revoked }: ListedClient): string {
  return `${[id, ...(scopes.length === 0 ? [] : [scopes.join(' ')]), ...(member === undefined ? [] : [`member ${member}`]), `since ${created}`, ...(revoked === undefined ? [] : [`revoked ${revoked}`])].join('  ')}\n`;
}
