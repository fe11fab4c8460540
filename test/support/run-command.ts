import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end. Beside services and connections, since `spawnSync` stops this process: whoever waits for a
 * connection meanwhile finds its time over before the connection is looked at.
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
