import { DataTypes, fn, type ModelStatic, UniqueConstraintError, type Sequelize } from 'sequelize';
import type { TableRow } from '../database/sequelize.js';
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

interface ClientRow {
  id: string;
  secret_sha256: string;
  scopes: string;
  member: string | null;
  created_at: Date;
  revoked_at: Date | null;
}

// Not the name of an entity type.
const modelName = '#client';

/** Defines the Sequelize model of the clients. */
export function defineClientModel(sequelize: Sequelize): void {
  const columns = {
    id: { type: DataTypes.TEXT, primaryKey: true },
    secret_sha256: { type: DataTypes.TEXT, allowNull: false },
    scopes: { type: DataTypes.TEXT, allowNull: false },
    member: { type: DataTypes.TEXT, allowNull: true },
    created_at: { type: DataTypes.DATE(0), allowNull: false, defaultValue: fn('now') },
    revoked_at: { type: DataTypes.DATE(0), allowNull: true },
  };
  sequelize.define<TableRow<ClientRow>>(modelName, columns, { tableName: clientTableName, timestamps: false });
}

// As `defineClientModel` defined it.
function clientsOn({ models }: Connection): ModelStatic<TableRow<ClientRow>> {
  return models?.((work) => work())[modelName] as ModelStatic<TableRow<ClientRow>>;
}

/** Stores a client; false when the name exists, even if revoked. */
export async function addClient({ id, scopes, member }: Client, secret: string, connection: Connection): Promise<boolean> {
  try {
    await clientsOn(connection).create({ id, secret_sha256: hashOf(secret), scopes: scopes.join(' '), member: member ?? null });
    return true;
  } catch (failure) {
    if (failure instanceof UniqueConstraintError) return false;
    throw failure;
  }
}

/** Revokes a client; false when no active client has the name. */
export async function revokeClient(id: string, connection: Connection): Promise<boolean> {
  const [revoked] = await clientsOn(connection).update({ revoked_at: fn('now') }, { where: { id, revoked_at: null } });
  return revoked > 0;
}

/** All clients, ordered by name. */
export async function listClients(connection: Connection): Promise<readonly ListedClient[]> {
  const rows = await clientsOn(connection).findAll({ order: ['id'] });
  return rows.map((row) => ({
    ...clientOf(row),
    created: secondOf(row.created_at),
    revoked: row.revoked_at ? secondOf(row.revoked_at) : undefined,
  }));
}

/** The client with the name and secret. A missing name takes the same time as a wrong secret. */
export async function findClient(id: string, secret: string, connection: Connection): Promise<Client | undefined> {
  const row = await clientsOn(connection).findOne({ where: { id, revoked_at: null } });
  const same = isSameHash(row?.secret_sha256 ?? nobody, hashOf(secret));
  return same && row !== null ? clientOf(row) : undefined;
}

const nobody = hashOf('');

function clientOf({ id, scopes, member }: ClientRow): Client {
  return { id, scopes: scopes.split(' ').filter((scope) => scope !== ''), member: member ?? undefined };
}

function secondOf(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
