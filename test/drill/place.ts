import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueToken } from '../../runtime/identity/authenticate.js';
import type { ServeProcess } from '../operation/serve-process.js';
import { patientSettings } from '../support/database.js';
import type { Target } from './load.js';

/** The folder of a drill, with the settings of its service. */
export interface Place {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

const secret = 'a secret of the drills, which protects nothing at all';

/** Runs `work` in a place that is removed afterwards. */
export async function inPlace<Result>(work: (place: Place) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'gable-drill-'));
  // The server may run as another user, who must be able to enter.
  chmodSync(directory, 0o755);
  const environment = { GABLE_DIRECTORY: join(directory, 'data'), GABLE_SECRET: secret, GABLE_LOG_LEVEL: 'silent' };
  try {
    return await work({ directory, environment });
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  }
}

/** Makes a folder in a place that the account of a server can enter. */
export function folderOf({ directory }: Place, name: string): string {
  const folder = join(directory, name);
  mkdirSync(folder, { mode: 0o755 });
  return folder;
}

/** Makes a place's tables, with a few listings. */
export function seed({ environment }: Place): void {
  execFileSync(process.execPath, ['dist/gable.js', 'seed', '--listings', '10'], {
    env: { PATH: process.env['PATH'], ...patientSettings, ...environment },
    stdio: 'pipe',
  });
}

/** The address and credentials of writers. */
export async function targetOf({ url }: ServeProcess): Promise<Target> {
  const token = await issueToken(
    { subject: 'drill', scopes: ['listing.read.all', 'listing.write', 'gable.hooks'], lifetime: 86_400 },
    { secret, issuer: 'gable', audience: 'gable' },
  );
  const response = await fetch(`${url}/odata/Member?$top=1&$select=MemberKey`, { headers: { Authorization: `Bearer ${token}` } });
  const { value } = (await response.json()) as { readonly value: readonly { readonly MemberKey: string }[] };
  return { url, token, member: value[0]?.MemberKey ?? '' };
}

/** Ends a service in the orderly way. */
export async function end(served: ServeProcess): Promise<void> {
  served.child.kill('SIGTERM');
  await served.ended;
}
