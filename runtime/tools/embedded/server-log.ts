import { existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The server's log, which explains a failed start. */
export interface ServerLog {
  readonly descriptor: number;
  readonly size: () => number;
  /** The text written after a size. */
  readonly since: (size: number) => string;
}

const largestLog = 10 * 1024 * 1024;

/** The path of a directory's log. */
export function logPath(directory: string): string {
  return join(directory, 'postgres.log');
}

/** Opens the log for appending; a large one is rotated once to `postgres.log.1`. */
export function openLog(directory: string): ServerLog {
  const path = logPath(directory);
  if (existsSync(path) && statSync(path).size > largestLog) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  return {
    descriptor,
    size: () => statSync(path).size,
    since: (size) => readFileSync(path).subarray(size).toString('utf8'),
  };
}
