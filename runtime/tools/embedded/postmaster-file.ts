import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of the server's `postmaster.pid`. */
interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Reads `postmaster.pid`; undefined while it is missing or incomplete. */
export function readPostmasterFile(dataDirectory: string): PostmasterFile | undefined {
  // Line 1 is the process id, line 4 the port, line 8 the state (PostgreSQL's miscadmin.h).
  const lines = linesOf(join(dataDirectory, 'postmaster.pid'));
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined;
}

// A starting server replaces the file of a killed one between two reads.
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Whether a process is the server of this data; after a reboot or in a container its id may be another program's. */
export function isPostmaster(pid: number, dataDirectory: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  const command = existsSync('/proc/self/cmdline')
    ? commandFromProc(pid)
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return command.includes('postgres') && command.includes(dataDirectory);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandFromProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process has ended; an unreaped one has no command either.
    return '';
  }
}
