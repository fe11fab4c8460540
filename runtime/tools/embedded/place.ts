import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

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

// Started by root, PostgreSQL runs as another user, who cannot enter directories such as /root.
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

/** The operating-system account that the server runs as; absent for the current one. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account for a data directory: its owner, or an unprivileged one, because PostgreSQL refuses to run as root. */
export function accountFor(dataDirectory: string): Account | undefined {
  if (process.getuid === undefined) return undefined;
  if (process.getuid() !== 0) return assertNamed();
  const owner = ownerOf(dataDirectory);
  if (owner !== undefined && owner.uid !== 0) return owner;
  const account = accountNamed('postgres') ?? accountNamed('nobody');
  if (account !== undefined) return account;
  throw new Error(
    'PostgreSQL does not run as root, and this machine has no user postgres or nobody. Start as another user, or set DATABASE_URL.',
  );
}

/** Whether the account can enter a folder, or run a program; checked by trying, because modes alone do not tell. */
export function canUse(account: Account | undefined, path: string): boolean {
  if (account === undefined) return true;
  const asked = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/', stdio: 'ignore' });
  return asked.status === 0;
}

/** Changes the owner of a path to the account. */
export function give(account: Account | undefined, path: string): void {
  if (account !== undefined) chownSync(path, account.uid, account.gid);
}

function ownerOf(path: string): Account | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

// Node has no getpwnam. The ids of macOS's nobody are negative and wrap around.
function accountNamed(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

// initdb and postgres look their user up by number, and fail for one without a name.
function assertNamed(): undefined {
  try {
    userInfo();
  } catch (cause) {
    throw new Error(
      `PostgreSQL needs a named user, and user number ${process.getuid?.()} has no entry in /etc/passwd. Add one, or set DATABASE_URL.`,
      { cause },
    );
  }
}
