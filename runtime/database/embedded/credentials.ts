import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The database's user and its database; both exist in every cluster that initdb makes for us. */
export const userName = 'gable';

/** The password of the embedded database, made at random on first use. */
export function passwordOf(directory: string): string {
  return textOf(join(directory, 'password'), () => randomBytes(24).toString('base64url'));
}

/** The port on which the supervisor of a directory listens; listening on it is also what makes it the only one. */
export function supervisorPortOf(directory: string): number {
  // Below the range from which systems give ports to outgoing connections.
  return Number(textOf(join(directory, 'port'), () => String(20_000 + (randomBytes(2).readUInt16BE() % 12_000))));
}

/** Gives up a port that another program uses, so that the next look finds a new one. */
export function forgetSupervisorPort(directory: string): void {
  rmSync(join(directory, 'port'), { force: true });
}

/** What client and supervisor say to know each other: neither word lets anyone who hears it into the database. */
export function passwords(directory: string): { readonly hello: string; readonly welcome: string } {
  const password = passwordOf(directory);
  return { hello: derived('hello', password), welcome: derived('welcome', password) };
}

/** The address of the embedded database. */
export function embeddedUrl(directory: string, port: number): string {
  return `postgres://${userName}:${passwordOf(directory)}@127.0.0.1:${port}/postgres`;
}

// Linking a finished file into place lets two processes start at once: both end with the one that came first.
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
