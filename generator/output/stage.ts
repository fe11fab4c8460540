import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../runtime/tools/cli/make-folder.js';

/** The changes of a run to a folder. */
interface Changes {
  readonly written: readonly { readonly path: string; readonly text: string | Uint8Array }[];
  readonly removed: readonly string[];
  /** Whether the folder still is as the changes assume, when no other run can write to it any more. */
  readonly isCurrent?: () => boolean;
}

/** The folder for files until all of them are on disk; no name that a model can produce. */
export const stagePath = '.stage';

/** The error when another run works in the same folder. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly exitCode = 2;

  constructor(folder: string, process?: number) {
    super(
      `${process === undefined ? 'Another run' : `Process ${process}`} is writing to ${folder}. Wait for its end, or end it, and run again.`,
    );
  }
}

/** Makes the changes atomically: none, when the process is killed before the last text is on disk. */
export function carryOut(folder: string, changes: Changes): void {
  if (changes.written.length + changes.removed.length === 0) return;
  open(folder);
  if (changes.isCurrent?.() === false) {
    rmSync(join(folder, stagePath), { recursive: true, force: true });
    throw new BusyError(folder);
  }
  const journal: Journal = { written: changes.written.map(({ path }) => path), removed: changes.removed };
  try {
    prepare(folder, changes, journal);
  } catch (error) {
    // A full disk is not filled further.
    rmSync(join(folder, stagePath), { recursive: true, force: true });
    throw error;
  }
  // From here on, the next run completes the work.
  renameSync(join(folder, stagePath, 'journal.new'), journalOf(folder));
  finish(folder, journal);
}

function prepare(folder: string, { written }: Changes, journal: Journal): void {
  written.forEach(({ text }, index) => writeFileSync(staged(folder, index), text));
  writeDurably(join(folder, stagePath, 'journal.new'), JSON.stringify(journal));
}

/** Completes a killed run that was past its last write, or discards its files; returns whether there was such a run. */
export function recover(folder: string): boolean {
  clearBegun(folder);
  if (!existsSync(join(folder, stagePath))) return false;
  refuseIfBusy(folder);
  const isDecided = isInterrupted(folder);
  if (isDecided) finish(folder, JSON.parse(readFileSync(journalOf(folder), 'utf8')) as Journal);
  else rmSync(join(folder, stagePath), { recursive: true });
  return isDecided;
}

/** Whether a run was killed while moving its files into place. */
export function isInterrupted(folder: string): boolean {
  return existsSync(journalOf(folder));
}

interface Journal {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

function open(folder: string): void {
  recover(folder);
  const begun = join(folder, `${stagePath}.${process.pid}`);
  makeFolder(begun);
  writeFileSync(join(begun, owner), String(process.pid));
  try {
    // The stage has an owner from the moment it exists, and only one of two runs gets the name.
    renameSync(begun, join(folder, stagePath));
  } catch {
    rmSync(begun, { recursive: true, force: true });
    throw new BusyError(folder);
  }
}

// Removes the folders of runs that were killed before they had the stage.
function clearBegun(folder: string): void {
  const begun = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${stagePath}.`)) : [];
  for (const name of begun) {
    if (!isAlive(Number(name.slice(stagePath.length + 1)))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function refuseIfBusy(folder: string): void {
  if (!existsSync(ownerOf(folder))) return;
  const pid = Number(readFileSync(ownerOf(folder), 'utf8'));
  // A run takes seconds; after that the process id may be another process's.
  const isRecent = Date.now() - statSync(ownerOf(folder)).mtimeMs < longestRun;
  if (isRecent && pid > 0 && pid !== process.pid && isAlive(pid)) throw new BusyError(folder, pid);
}

const longestRun = 60_000;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// Each step may already have been made.
function finish(folder: string, { written, removed }: Journal): void {
  written.forEach((path, index) => {
    if (!existsSync(staged(folder, index))) return;
    makeFolder(dirname(join(folder, path)));
    renameSync(staged(folder, index), join(folder, path));
  });
  for (const path of removed) remove(folder, path);
  rmSync(journalOf(folder));
  rmSync(join(folder, stagePath), { recursive: true });
}

function remove(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    if (!existsSync(join(folder, parent))) continue;
    if (readdirSync(join(folder, parent)).length > 0) return;
    rmdirSync(join(folder, parent));
  }
}

// The journal must not exist before its content.
function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w');
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
}

const journalOf = (folder: string): string => join(folder, stagePath, 'journal.json');
const owner = 'process';
const ownerOf = (folder: string): string => join(folder, stagePath, owner);
const staged = (folder: string, index: number): string => join(folder, stagePath, String(index));
