import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';

/** The measurements of a process. */
export interface Measured {
  /** Seconds by the clock. */
  readonly wall: number;
  /** Seconds of processors, of all its threads. */
  readonly cpu: number;
  readonly peakMegabytes: number;
}

// Runs in the measured process, and reports its measurements when it ends.
const teller = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peakMegabytes: maxRSS / 1024 }));
  });`)}`;

/** Runs a script in a new process, so that nothing is warm; throws with its output on failure. */
export async function measureRun(script: string, args: readonly string[], folder: string): Promise<Measured> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', teller, script, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [output, errors, told] = await Promise.all(child.stdio.slice(1).map((stream) => text(stream as NodeJS.ReadableStream)));
  const status = await ended;
  const wall = (performance.now() - started) / 1_000;
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${status}:\n${output}${errors}`.slice(0, 4_000));
  return { wall, ...(JSON.parse(told ?? '') as Omit<Measured, 'wall'>) };
}
