import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** `gable serve` as a separate process. */
export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** All that it wrote on the standard error, its log. */
  readonly log: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts the command and waits until it says where it serves. */
export async function startProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: { readonly detached?: boolean; readonly stdio?: ['ignore', 'pipe', 'pipe' | number] } = {},
): Promise<ServeProcess> {
  const child = spawn(process.execPath, ['dist/gable.js', 'serve', '--port', '0', ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let output = '';
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  // Its output ends after it.
  const ended = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals)[]) => code ?? signal ?? 0);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /^Gable serves (.*)\/odata$/m.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`gable serve ended with ${code}: ${log}`)));
  });
  return { url, child, log: () => log, ended };
}
