import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';

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
