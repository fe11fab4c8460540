import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { patientSettings } from './database.js';
import { runGableIn } from './run-gable.js';

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

// `gable database prepare` makes the other limits defaults of a role, which are to be the product's.
const patience = { GABLE_ACQUIRE_TIMEOUT: patientSettings.GABLE_ACQUIRE_TIMEOUT };

/** The same with `gable`, within this process, and with nothing of its environment but where programs are found. */
export async function runGable(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { code, out, err } = await runGableIn('.', args, { PATH: process.env['PATH'], ...patience, ...environment });
  return { status: code, stdout: out, stderr: err };
}

/** The same in a process of its own, for variables that Node reads when it starts. */
export function spawnGable(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runCommand(process.execPath, ['dist/gable.js', ...args], {
    env: { PATH: process.env['PATH'], ...patience, ...environment },
  });
}
