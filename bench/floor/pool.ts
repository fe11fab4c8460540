import { openConnection, type FloorConnection, type Job } from './connection.js';

/** Runs a job on the next free connection. */
export type Run = (job: Job) => void;

/** Opens the connections, all of them, and lets jobs queue for them in the order of their coming. */
export async function openPool(url: string, size: number): Promise<Run> {
  const idle: FloorConnection[] = [];
  const waiting: Job[] = [];
  const onIdle = (connection: FloorConnection): void => {
    const job = waiting.shift();
    if (job === undefined) idle.push(connection);
    else connection.run(job);
  };
  const connections = await Promise.all(Array.from({ length: size }, () => openConnection(url, onIdle)));
  idle.push(...connections);
  return (job) => {
    const connection = idle.pop();
    if (connection === undefined) waiting.push(job);
    else connection.run(job);
  };
}
