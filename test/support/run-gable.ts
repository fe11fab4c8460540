import { fileURLToPath } from 'node:url';
import { runCommand } from '../support/run-command.js';

/** The command as it was compiled. */
export const gable = fileURLToPath(new URL('../../gable.js', import.meta.url));

/** The exit code and the output of a command; no code after a signal. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in a folder, without colours. */
export function runGable(cwd: string, ...args: readonly string[]): Promise<Run> {
  return runGableIn(cwd, args, { ...process.env, NO_COLOR: '1' });
}

/** Runs the command with another environment. */
export async function runGableIn(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const { status, stdout, stderr } = await runCommand(process.execPath, [gable, ...args], { cwd, env });
  return { code: status, out: stdout, err: stderr };
}
