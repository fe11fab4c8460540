import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { unhurried } from '../prepare/open-server.js';
import { readSamples, type Samples } from '../workloads/samples.js';
import type { Traces } from './check.js';
import { postmasterOf } from './processes.js';

/** The benchmark's own statements. */
export interface Session {
  readonly samples: Samples;
  readonly postmaster: number | undefined;
  readonly postgres: string;
  readonly traces: Traces;
  /** Logs a change of each listing with these keys. */
  readonly change: (keys: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens it and reads what stays the same during a run. */
export async function openSession(url: string): Promise<Session> {
  const pool = connect(url, { poolSize: 1, ...unhurried });
  const rows = (text: string, bind: readonly (string | null)[] = []) => withConnection(pool, ({ run }) => run({ text, bind }));
  const samples = await withConnection(pool, readSamples);
  const [session] = await rows(
    `select pg_backend_pid(), current_setting('server_version'), coalesce(inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1', true),
      (select max("#id") from "Property")`,
  );
  const [pid, postgres, isHere, last = null] = session ?? [];
  return {
    samples,
    // The number of a process on another machine would be somebody else's here.
    postmaster: isHere === 't' ? postmasterOf(Number(pid)) : undefined,
    postgres: postgres ?? '',
    traces: async (number) => (await rows(tracesText, [number])).map((row) => row.join(' ')),
    change: async (keys) => void (await rows(changeText, [`{${keys.join()}}`])),
    close: async () => {
      // The drafts of W14. What they leave behind would slow the next run's scans.
      await rows('delete from "Property" where "#id" > $1::bigint', [last]);
      await rows('vacuum analyze');
      await pool.close();
    },
  };
}

const changeText = `insert into "#changes" ("#set", "#key", "#operation") select 'Property', key, 'u' from unnest($1::text[]) keys(key)`;

const tracesText = `
  select 'change', "#set", "#key", "#operation", null, null, null from "#changes" where "#set" = 'Property' and "#key" in ($1::text, 'Draft' || $1::text)
  union all
  select 'history', "ResourceRecordKey", "FieldName", "PreviousValue", "NewValue", "ChangeType", "ChangedByMemberKey" from "HistoryTransactional" where "ResourceRecordKey" = $1::text
  order by 1, 2, 3, 4, 5`;
