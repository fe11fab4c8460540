import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** Writers that create listings as fast as they are answered. */
interface Load {
  /** The outcomes of all writes so far. */
  readonly record: LoadRecord;
  readonly stop: () => Promise<void>;
}

/** Every write, by the name that makes it one of a kind. */
export interface LoadRecord {
  /** Acknowledged with 201, and its key. */
  readonly acknowledged: Map<string, string>;
  /** Not acknowledged: they may be there or not, but not in part. */
  readonly unknown: Set<string>;
  /** How many were answered with each status; 0 stands for no answer. */
  readonly statuses: Map<number, number>;
  /** When the last acknowledgement came, by the process's clock. */
  last: number;
}

/** An empty record, to which several loads may write. */
export function emptyRecord(): LoadRecord {
  return { acknowledged: new Map(), unknown: new Set(), statuses: new Map(), last: 0 };
}

/** Where writes go, and in whose name. */
export interface Target {
  readonly url: string;
  readonly token: string;
  readonly member: string;
}

const writers = 4;

/** Starts four writers. */
export function startLoad(target: Target, record: LoadRecord): Load {
  const state = { stopping: false };
  const write = async (): Promise<void> => {
    while (!state.stopping) {
      const status = await create(target, record);
      // Where nobody listens, whoever asks without a pause takes the processor from the one that starts.
      await delay(status === 0 ? 50 : 2);
    }
  };
  const all = Promise.all(Array.from({ length: writers }, write));
  return {
    record,
    stop: async () => {
      state.stopping = true;
      await all;
    },
  };
}

async function create({ url, token, member }: Target, record: LoadRecord): Promise<number> {
  const name = randomUUID();
  record.unknown.add(name);
  const body = JSON.stringify({
    ListAgentKey: member,
    ListOfficeKey: member,
    PropertyType: 'Residential',
    StreetNumber: '1',
    StreetName: name,
    City: 'Drill',
  });
  const status = await fetch(`${url}/odata/Property`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
  }).then(
    async (response) => {
      const answer = (await response.json()) as { readonly ListingKey?: string };
      if (response.status === 201) acknowledge(name, answer.ListingKey ?? '', record);
      return response.status;
    },
    // The connection broke: nobody knows what became of the write.
    () => 0,
  );
  record.statuses.set(status, (record.statuses.get(status) ?? 0) + 1);
  return status;
}

function acknowledge(name: string, key: string, record: LoadRecord): void {
  record.acknowledged.set(name, key);
  record.unknown.delete(name);
  record.last = performance.now();
}
