import { acquireConnection, type ConnectionPool, destroyConnection } from '../runtime/database/pool.js';
import { runStatement } from '../runtime/database/run.js';

// Without limits for waiting; of a machine that has failed, the server notices it within two minutes.
const opening =
  'begin; set local idle_in_transaction_session_timeout to 0; set local tcp_keepalives_idle to 60; set local tcp_keepalives_interval to 20; set local tcp_keepalives_count to 3';

// The names that another process holds.
const heldByOthers = `select name from json_array_elements_text($1) name
  where not pg_try_advisory_xact_lock(hashtextextended('gable: replicate ' || current_schema() || ' ' || name, 0))`;

/**
 * Holds the tables of sets for this process, and returns what ends that. The locks are of an open transaction: behind a
 * pooler in transaction mode, those of a session would outlive the process.
 */
export async function holdSets(pool: ConnectionPool, names: readonly string[]): Promise<() => Promise<void>> {
  const client = await acquireConnection(pool);
  const end = async (): Promise<void> => {
    // A lost connection has ended the transaction.
    await runStatement(client, { text: 'rollback', bind: [] }).catch(() => undefined);
    await destroyConnection(pool, client);
  };
  try {
    await client.query({ text: opening });
    const held = await runStatement(client, { text: heldByOthers, bind: [JSON.stringify(names)] });
    if (held.length > 0) throw new Error(`Another process copies ${held.join(', ')} to this database; stop it, or name another database.`);
    return end;
  } catch (error) {
    await end();
    throw error;
  }
}
