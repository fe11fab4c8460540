import { readBatch } from '../../runtime/features/webhooks/deliver.js';
import { payloadOf } from '../../runtime/features/webhooks/formats.js';
import type { Connection } from '../../runtime/sql/statement.js';
import { openSessions } from '../streaming/sessions.js';
import type { TwoDatabases } from './two-databases.js';

/** Reads what hooks of a caller deliver after a number of each service. */
export interface HookReader {
  readonly deliveries: (caller: string, after: readonly [string, string]) => Promise<readonly [string, string]>;
  readonly close: () => Promise<void>;
}

/** Hooks that deliver everything, and those with choices. */
const choices = [{}, { operations: ['update', 'delete'] }, { operations: ['create'] }] as const;

/** Opens both databases. */
export function openHookReader({ services, scopesOf, subject: { container } }: TwoDatabases): HookReader {
  const sessions = services.map(({ databaseUrl }) => openSessions(databaseUrl));
  const connections = sessions.map(({ rows }) => ({ run: ({ text, bind }) => rows(text, ...(bind as readonly string[])) }) as Connection);
  const deliveriesOf = async (index: 0 | 1, caller: string, from: string): Promise<string> => {
    const connection = connections[index] as Connection;
    const parts = {
      root: 'http://same.example/odata',
      container,
      onDatabase: <Result>(work: (on: Connection) => Promise<Result>) => work(connection),
    };
    const bodies: string[] = [];
    for (const choice of choices) {
      for (let position = from, isMore = true; isMore;) {
        const { changes, to } = await readBatch({ id: 'same', position, ...scopesOf(caller), ...choice }, parts);
        isMore = changes.length > 0;
        if (isMore) bodies.push(payloadOf('standard', changes, parts).body);
        position = to;
      }
    }
    return withoutNumbers(bodies.join('\n'));
  };
  return {
    deliveries: (caller, [one, other]) => Promise.all([deliveriesOf(0, caller, one), deliveriesOf(1, caller, other)]),
    close: async () => void (await Promise.all(sessions.map(({ close }) => close()))),
  };
}

// Numbers of changes have gaps, and the databases are not changed in the same moment.
function withoutNumbers(bodies: string): string {
  return bodies.replace(/"number":"\d+"/g, '"number":"n"').replace(/"timestamp":"[^"]*"/g, '"timestamp":"t"');
}
