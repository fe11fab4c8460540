import { connect } from '../../runtime/database/connect.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';

// The second process of the migration tests: applies the folder and tells its parent which files that were.
const [url = '', folder = ''] = process.argv.slice(2);
const pool = connect(url);
const applied = await migrate(pool, folder);
await pool.close();
process.send?.(applied);
process.disconnect?.();
