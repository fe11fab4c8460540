import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command as it was compiled. */
export const gable = fileURLToPath(new URL('../../gable.js', import.meta.url));

/** How a command ended and what it said. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in a folder, without colours. */
export function runGable(cwd: string, ...args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [gable, ...args], { cwd, env: { ...process.env, NO_COLOR: '1' } }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}
