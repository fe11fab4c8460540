import { spawn } from 'node:child_process';
import { patientSettings } from '../support/database.js';

/** A running command of `gable` that serves. */
interface ServingProcess {
  /** The service root. */
  readonly root: string;
  /** The output so far, of both streams. */
  readonly output: () => string;
  /** Asks it to end, as Ctrl+C does, and waits. */
  readonly interrupt: () => Promise<number | null>;
}

type Options = { readonly cwd: string; readonly env?: NodeJS.ProcessEnv };

/** Starts a program of the package in a folder and waits until it serves; one that ends before has failed. */
export async function serveWith(program: string, args: readonly string[], options: Options): Promise<ServingProcess> {
  return start(program, args, options, (output) => /Gable serves (\S+)[\s\S]*\n.*Ctrl\+C/.exec(output)?.[1]);
}

/** The same with `--json`; `told` is the printed object. */
export async function serveInJson(
  program: string,
  args: readonly string[],
  options: Options,
): Promise<ServingProcess & { readonly told: Record<string, unknown> }> {
  let told: Record<string, unknown> = {};
  const service = await start(program, [...args, '--json'], options, (output) => {
    const [, line] = /^(\{"url":.*\})\n/m.exec(output) ?? [];
    if (line !== undefined) told = JSON.parse(line) as Record<string, unknown>;
    return told['url'] as string | undefined;
  });
  return { ...service, told };
}

async function start(
  program: string,
  args: readonly string[],
  options: Options,
  rootIn: (output: string) => string | undefined,
): Promise<ServingProcess> {
  const child = spawn(process.execPath, [program, ...args], { ...options, env: { ...patientSettings, ...(options.env ?? process.env) } });
  let output = '';
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const root = await new Promise<string>((serving, failed) => {
    const read = (chunk: Buffer): void => {
      output += String(chunk);
      const found = rootIn(output);
      if (found !== undefined) serving(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((code) => failed(new Error(`It ended with ${code} before it served:\n${output}`)));
  });
  return { root, output: () => output, interrupt: () => (child.kill('SIGINT'), ended) };
}
