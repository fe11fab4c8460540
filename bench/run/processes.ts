import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Processor time since the start of the processes, in milliseconds; undefined where the system does not tell. */
interface Usage {
  readonly node: number | undefined;
  readonly postgres: number | undefined;
}

// Linux reports times to every program in hundredths of a second.
const tick = 10;

/** Reads the processor times of the server and the database up to now. */
export function usageOf(serverPid: number, postmasterPid: number | undefined): Usage {
  const server = statOf(serverPid);
  return { node: server && server.own * tick, postgres: postmasterPid === undefined ? undefined : postgresUsage(postmasterPid) };
}

/** The process that a database session's process belongs to, where it runs on this machine. */
export function postmasterOf(sessionPid: number): number | undefined {
  return statOf(sessionPid)?.parent;
}

// Sessions that have ended are counted by the postmaster, which has waited for them.
function postgresUsage(postmasterPid: number): number | undefined {
  const postmaster = statOf(postmasterPid);
  if (postmaster === undefined) return undefined;
  const sessions = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const living = sessions.filter(({ parent }) => parent === postmasterPid).reduce((sum, { own }) => sum + own, 0);
  return (postmaster.own + postmaster.ended + living) * tick;
}

interface Stat {
  readonly parent: number;
  readonly own: number;
  readonly ended: number;
}

function statOf(pid: number): Stat | undefined {
  const text = readOf(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name in parentheses may contain anything; only numbers follow it.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number): number => fields[index] ?? 0;
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}

/** The most memory that a process has held, in MB, since `forgetPeak`. */
export function peakMemory(pid: number): number | undefined {
  return megabytes(pid, /^VmHWM:\s+(\d+) kB$/m);
}

/** The memory that a process holds now, in MB. */
export function residentMemory(pid: number): number | undefined {
  return megabytes(pid, /^VmRSS:\s+(\d+) kB$/m);
}

function megabytes(pid: number, line: RegExp): number | undefined {
  const [, kilobytes] = line.exec(readOf(`/proc/${pid}/status`) ?? '') ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** Begins a new peak, where the system allows it; otherwise the peak is that of the process's life. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch (failure) {
    if (!isAbsent(failure)) throw failure;
  }
}

function readOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    if (!isAbsent(failure)) throw failure;
    return undefined;
  }
}

// The process has ended, the file belongs to somebody else, or the system is not Linux.
function isAbsent(failure: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((failure as NodeJS.ErrnoException).code ?? '');
}
