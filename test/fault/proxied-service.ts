import type { ExecutionContext } from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { readConfig } from '../../runtime/config/config.js';
import { serve } from '../../runtime/main.js';
import { secret, startService } from '../support/service.js';
import { startProxy, type FaultProxy } from './proxy.js';

/** A service whose way to its database can be watched and cut. */
interface ProxiedService {
  /** The service root. */
  readonly root: string;
  /** Where health is asked for. */
  readonly url: string;
  readonly proxy: FaultProxy;
  /** A token that may read and write. */
  readonly token: string;
}

/** Starts it for one test, and stops it with that. */
export async function startProxied(t: ExecutionContext): Promise<ProxiedService> {
  const service = await startService();
  const proxy = await startProxy(service.databaseUrl);
  // Webhooks would look into the database twice a second.
  const quiet = { GABLE_LOG_LEVEL: 'silent', GABLE_WEBHOOKS: 'false' };
  const config = readConfig({ PORT: '0', GABLE_SECRET: secret, DATABASE_URL: proxy.url, ...quiet });
  const pool = connect(proxy.url, config);
  const running = await serve(config, pool);
  t.teardown(async () => {
    await running.stop();
    await pool.close();
    proxy.stop();
    await service.stop();
  });
  return { root: `${running.url}/odata`, url: running.url, proxy, token: await service.token('write') };
}
