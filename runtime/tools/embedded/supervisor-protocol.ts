import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The options of a supervisor, passed as JSON on the command line. */
export interface SupervisorOptions {
  readonly directory: string;
  /** Whether commits are synced to disk; only throw-away data may do without. */
  readonly durable: boolean;
  /** The time that the server stays after the last process has left. */
  readonly lingerSeconds: number;
  /** The folder with `bin` and `lib`; by default that of the npm package. */
  readonly nativeDirectory?: string;
}

/** The answer to a process that attaches, when the server accepts connections or has failed. */
export type Answer = { readonly port: number; readonly started: boolean; readonly notes: readonly string[] } | { readonly failure: string };

/** The message of a process that leaves on purpose; a killed one sends nothing, and is expected back. */
export const goodbye = 'goodbye';

/** The exit status of a supervisor when another one is running. */
export const anotherSupervisor = 3;

/** The name of the user and of the database in every embedded cluster. */
export const userName = 'gable';

/** The password of the embedded database, generated on first use. */
export function passwordOf(directory: string): string {
  return textOf(join(directory, 'password'), () => randomBytes(24).toString('base64url'));
}

/** The port of a directory's supervisor; listening on it also makes the supervisor unique. */
export function supervisorPortOf(directory: string): number {
  // Below the range from which systems assign outgoing ports.
  return Number(textOf(join(directory, 'port'), () => String(20_000 + (randomBytes(2).readUInt16BE() % 12_000))));
}

/** Forgets a port that another program uses, so that the next call chooses a new one. */
export function forgetSupervisorPort(directory: string): void {
  rmSync(join(directory, 'port'), { force: true });
}

/** The words with which client and supervisor identify each other; neither gives access to the database. */
export function passwords(directory: string): { readonly hello: string; readonly welcome: string } {
  const password = passwordOf(directory);
  return { hello: derived('hello', password), welcome: derived('welcome', password) };
}

/** The address of the embedded database. */
export function embeddedUrl(directory: string, port: number): string {
  return `postgres://${userName}:${passwordOf(directory)}@127.0.0.1:${port}/postgres`;
}

// A complete file is linked into place, so two processes that start together use the first one's.
function textOf(file: string, make: () => string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, make(), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, 'utf8').trim();
}

function derived(purpose: string, password: string): string {
  return createHash('sha256').update(`${purpose}:${password}`).digest('base64url');
}
