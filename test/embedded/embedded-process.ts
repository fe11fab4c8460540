import { connect } from '../../runtime/database/connect.js';
import { startEmbedded, type EmbeddedOptions } from '../../runtime/tools/embedded/start.js';
import { withConnection } from '../../runtime/database/run.js';

// Another process of the embedded database's tests: attaches, reports it, and stays until a message or a kill.
const database = await startEmbedded(JSON.parse(process.argv[2] ?? '') as EmbeddedOptions);
const pool = connect(database.url);
const [row] = await withConnection(pool, (one) => one.run({ text: 'SELECT pg_postmaster_start_time()', bind: [] }));
await pool.close();
process.send?.({ attached: database.attached, startTime: row?.[0] });
process.once('message', () => void database.stop().then(() => process.disconnect()));
