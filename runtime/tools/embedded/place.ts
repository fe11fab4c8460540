import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountFor, canUse, type Account } from './account.js';

/** The folders for the data and a copy of the binaries, with their owner. */
export interface Place {
  readonly folder: string;
  readonly dataDirectory: string;
  readonly account: Account | undefined;
  /** Reported once, when the folder differs from the requested one. */
  readonly reason?: string;
}

/** The requested folder, or one that the server's account can enter. */
export function choosePlace(directory: string): Place {
  const known = rememberedFolder(directory) ?? directory;
  const dataDirectory = join(known, 'postgres');
  const account = accountFor(dataDirectory);
  if (canUse(account, known)) return { folder: known, dataDirectory, account };
  return elsewhere(directory, account);
}

// For root, PostgreSQL runs as another user, who cannot enter, say, /root.
function elsewhere(directory: string, account: Account | undefined): Place {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const folder = [join('/var/lib/gable', name), join(tmpdir(), `gable-${name}`)].find((one) => isUsable(one, account));
  if (folder === undefined)
    throw new Error(
      `The database's user cannot access ${directory}, /var/lib/gable or ${tmpdir()}. Set DATABASE_URL, or start in another folder.`,
    );
  writeFileSync(join(directory, 'location'), `${folder}\n`);
  const reason = `The database's data is in ${folder}: PostgreSQL does not run as root, and its user cannot access ${directory}.`;
  return { folder, dataDirectory: join(folder, 'postgres'), account, reason };
}

function isUsable(folder: string, account: Account | undefined): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    // A folder that somebody else created under a shared parent is not safe for data.
    if (lstatSync(folder).uid !== process.getuid?.()) return false;
    chmodSync(folder, 0o755);
  } catch {
    return false;
  }
  return canUse(account, folder);
}

function rememberedFolder(directory: string): string | undefined {
  const file = join(directory, 'location');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
