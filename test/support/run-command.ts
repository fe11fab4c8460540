import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The exit code and the output of a program. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end, asynchronously: `spawnSync` would block this process, and waits for connections would time
 * out.
 */
export async function runCommand(program: string, args: readonly string[], options: Omit<SpawnOptions, 'stdio'> = {}): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, stdout, stderr };
}

/** The same with the built program `gable`, and nothing of this process's environment but where programs are found. */
export function runGable(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runCommand(process.execPath, ['dist/gable.js', ...args], { env: { PATH: process.env['PATH'], ...environment } });
}
