import { openConnection, type FloorConnection, type Job } from './connection.js';

/** Runs a job on the next free connection. */
export type Run = (job: Job) => void;

/** Connections for jobs, which queue for them in the order of their coming. */
export interface Pool {
  readonly run: Run;
  /** Lends a connection until the work is done. */
  readonly lend: <Result>(work: (run: Run) => Promise<Result>) => Promise<Result>;
}

/** Opens all connections. */
export async function openPool(url: string, size: number): Promise<Pool> {
  const idle = await Promise.all(Array.from({ length: size }, () => openConnection(url)));
  const waiting: ((connection: FloorConnection) => void)[] = [];
  const release = (connection: FloorConnection): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else next(connection);
  };
  const acquire = (take: (connection: FloorConnection) => void): void => {
    const connection = idle.pop();
    if (connection === undefined) waiting.push(take);
    else take(connection);
  };
  return {
    run: (job) => acquire((connection) => connection.run(job, release)),
    lend: async (work) => {
      const connection = await new Promise<FloorConnection>(acquire);
      return work((job) => connection.run(job, () => undefined)).finally(() => release(connection));
    },
  };
}
