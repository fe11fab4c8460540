import { fork, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '../../runtime/database/connect.js';
import { isPostmaster, readPostmasterFile } from '../../runtime/tools/embedded/postmaster.js';
import type { EmbeddedDatabase, EmbeddedOptions } from '../../runtime/tools/embedded/start.js';
import { withConnection } from '../../runtime/database/run.js';

/** Runs a scene in a separate directory, and ensures that no server remains. */
export async function play(scene: (directory: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'gable-embedded-'));
  chmodSync(root, 0o755);
  try {
    await scene(join(root, '.gable'));
    await goneSoon(join(root, '.gable'));
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The database's answer to one statement. */
export async function ask(database: EmbeddedDatabase, text: string): Promise<string> {
  const pool = connect(database.url);
  const rows = await withConnection(pool, (one) => one.run({ text, bind: [] })).finally(() => pool.close());
  return rows.map((row) => row.join(' ')).join('\n');
}

/** The number of the server's process, 0 where there is none. */
export function serverPid(directory: string): number {
  return readPostmasterFile(join(directory, 'postgres'))?.pid ?? 0;
}

/** Whether that process is the server of a directory. */
export function runs(directory: string, pid: number): boolean {
  return isPostmaster(pid, join(directory, 'postgres'));
}

/** `ava` gives the whole test its time; a condition that never comes true ends there. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(20);
}

async function goneSoon(directory: string): Promise<void> {
  await until(() => serverPid(directory) === 0);
}

/** Another process that uses the database. */
export interface Other {
  readonly child: ChildProcess;
  readonly attached: boolean;
  readonly startTime: string;
}

/** Starts one, or lets it attach. */
export function startElsewhere(options: EmbeddedOptions, execution: { readonly uid?: number; readonly gid?: number } = {}): Promise<Other> {
  const child = fork(fileURLToPath(new URL('./embedded-process.js', import.meta.url)), [JSON.stringify(options)], execution);
  return new Promise((resolve, reject) => {
    child.once('message', (said) => resolve({ child, ...(said as Omit<Other, 'child'>) }));
    child.once('exit', (code, signal) => reject(new Error(`The process ended with ${code ?? signal} and said nothing.`)));
  });
}

/** Lets it go. */
export async function leave({ child }: Other): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.send('leave');
  await gone;
}

/** Takes it away with kill -9. */
export async function kill({ child }: Other): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
