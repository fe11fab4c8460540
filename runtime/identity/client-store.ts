import type { Connection } from '../sql/statement.js';
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

/** Stores a client; false when the name exists, even if revoked. */
export async function addClient({ id, scopes, member }: Client, secret: string, { run }: Connection): Promise<boolean> {
  const rows = await run({
    text: 'INSERT INTO gable_client (id, secret_sha256, scopes, member) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING RETURNING id',
    bind: [id, hashOf(secret), scopes.join(' '), member ?? null],
  });
  return rows.length > 0;
}

/** Revokes a client; false when no active client has the name. */
export async function revokeClient(id: string, { run }: Connection): Promise<boolean> {
  const rows = await run({
    text: 'UPDATE gable_client SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    bind: [id],
  });
  return rows.length > 0;
}

/** All clients, ordered by name. */
export async function listClients({ run }: Connection): Promise<readonly ListedClient[]> {
  const rows = await run({ text: 'SELECT id, scopes, member, created_at, revoked_at FROM gable_client ORDER BY id', bind: [] });
  return rows.map(([id, scopes, member, created, revoked]) => ({
    ...clientOf(id, scopes, member),
    created: created ?? '',
    revoked: revoked ?? undefined,
  }));
}

/** The client with the name and secret. A missing name takes the same time as a wrong secret. */
export async function findClient(id: string, secret: string, { run }: Connection): Promise<Client | undefined> {
  const rows = await run({
    text: 'SELECT id, scopes, member, secret_sha256 FROM gable_client WHERE id = $1 AND revoked_at IS NULL',
    bind: [id],
  });
  const [known, scopes, member, hash] = rows[0] ?? [];
  const same = isSameHash(hash ?? nobody, hashOf(secret));
  return same && rows.length > 0 ? clientOf(known, scopes, member) : undefined;
}

const nobody = hashOf('');

function clientOf(id: string | null | undefined, scopes: string | null | undefined, member: string | null | undefined): Client {
  return { id: id ?? '', scopes: (scopes ?? '').split(' ').filter((scope) => scope !== ''), member: member ?? undefined };
}
