import { createRequire } from 'node:module';
import type * as pg from 'pg';

const require = createRequire(import.meta.url);

// To learn where it runs, the driver looks at `navigator`, which Node has from version 21 on, and else makes a Response.
// With that, Node 20 loads its HTTP client: 110 ms and 10 MB of each process.
function loadDriver(): typeof pg {
  if ('navigator' in globalThis) return require('pg') as typeof pg;
  const world = globalThis as unknown as { navigator?: object };
  world.navigator = { userAgent: `Node.js/${process.versions.node}` };
  try {
    return require('pg') as typeof pg;
  } finally {
    delete world.navigator;
  }
}

/** The classes of the database driver, its reading of cells, and its quoting of values. */
export const { Client, Connection, escapeLiteral, types } = loadDriver();
