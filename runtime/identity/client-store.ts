import type { Connection, Row } from '../sql/statement.js';
import { hashOf, isSameHash } from './static-tokens.js';

/** A client of the token endpoint. */
export interface Client {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly member: string | undefined;
}

/** A client in a listing, without its secret, which is stored only as a hash. */
export interface ListedClient extends Client {
  readonly created: string;
  readonly revoked: string | undefined;
}

/** Name of the table of clients. */
export const clientTableName = 'gable_client';

/** The table of clients; `gable migrate` creates it along with its own. */
export const clientTable = `CREATE TABLE IF NOT EXISTS ${clientTableName} (
  id text PRIMARY KEY,
  secret_sha256 text NOT NULL,
  scopes text NOT NULL,
  member text,
  created_at timestamptz(0) NOT NULL DEFAULT now(),
  revoked_at timestamptz(0)
)`;

const columns = 'id, scopes, member';

/** Stores a client; false when the name exists, even if revoked. */
export async function addClient({ id, scopes, member }: Client, secret: string, { run }: Connection): Promise<boolean> {
  const text = `insert into ${clientTableName} (id, secret_sha256, scopes, member) values ($1, $2, $3, $4) on conflict (id) do nothing returning id`;
  return (await run({ text, bind: [id, hashOf(secret), scopes.join(' '), member ?? null] })).length > 0;
}

/** Revokes a client; false when no active client has the name. */
export async function revokeClient(id: string, { run }: Connection): Promise<boolean> {
  const text = `update ${clientTableName} set revoked_at = now() where id = $1 and revoked_at is null returning id`;
  return (await run({ text, bind: [id] })).length > 0;
}

/** All clients, ordered by name. */
export async function listClients({ run }: Connection): Promise<readonly ListedClient[]> {
  const times = ['created_at', 'revoked_at'].map((column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`);
  const rows = await run({ text: `select ${columns}, ${times.join(', ')} from ${clientTableName} order by id`, bind: [] });
  return rows.map((row) => ({ ...clientOf(row), created: row[3] ?? '', revoked: row[4] ?? undefined }));
}

/** The client with the name and secret. A missing name takes the same time as a wrong secret. */
export async function findClient(id: string, secret: string, { run }: Connection): Promise<Client | undefined> {
  const text = `select ${columns}, secret_sha256 from ${clientTableName} where id = $1 and revoked_at is null`;
  const [row] = await run({ text, bind: [id] });
  const same = isSameHash(row?.[3] ?? nobody, hashOf(secret));
  return same && row !== undefined ? clientOf(row) : undefined;
}

const nobody = hashOf('');

function clientOf([id, scopes, member]: Row): Client {
  return { id: id ?? '', scopes: (scopes ?? '').split(' ').filter((scope) => scope !== ''), member: member ?? undefined };
}
