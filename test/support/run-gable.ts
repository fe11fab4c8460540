import { fileURLToPath } from 'node:url';

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

let last: Promise<unknown> = Promise.resolve();
let runs = 0;

/**
 * Runs the command with another environment, within this process and one after the other: a process of its own spends
 * most of its time on loading. What a command imports of the folder is imported once.
 */
export function runGableIn(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const next = last.then(() => runHere(cwd, args, env));
  last = next.catch(() => undefined);
  return next;
}

async function runHere(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const texts = { out: '', err: '' };
  const former = { argv: process.argv, env: process.env, exit: process.exit, folder: process.cwd() };
  const [out, err] = [process.stdout.write, process.stderr.write];
  process.chdir(cwd);
  Object.assign(process, { argv: [process.execPath, gable, ...args], env, exit });
  process.stdout.write = collect((text) => (texts.out += text));
  process.stderr.write = collect((text) => (texts.err += text));
  try {
    await import(`../../gable.js?run=${(runs += 1)}`);
    return { code: Number(process.exitCode ?? 0), ...texts };
  } catch (failure) {
    if (!(failure instanceof Exit)) throw failure;
    return { code: failure.code, ...texts };
  } finally {
    [process.stdout.write, process.stderr.write] = [out, err];
    const { folder, ...rest } = former;
    Object.assign(process, rest, { exitCode: undefined });
    process.chdir(folder);
  }
}

/** The end of a command by `process.exit`. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

function exit(code: unknown): never {
  throw new Exit(Number(code ?? 0));
}

function collect(add: (text: string) => unknown): typeof process.stdout.write {
  return (chunk: Uint8Array | string, ...[encoding, written]: readonly unknown[]) => {
    add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    const callback = typeof encoding === 'function' ? encoding : written;
    if (typeof callback === 'function') (callback as () => void)();
    return true;
  };
}
