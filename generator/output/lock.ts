import { hashOf, hasHeader, type OutputFile } from './header.js';

/** Keeps the hashes of the files that cannot carry one themselves. */
export const lockPath = '.lock.json';

/** The files and, last, the lock. */
export function withLock(files: readonly OutputFile[]): readonly OutputFile[] {
  const hashes = files.filter(({ path }) => !hasHeader(path)).map(({ path, text }) => [path, hashOf(text)] as const);
  const lock = { comment: 'Written by `npm run generate`: hashes of the generated files that have no header.', files: Object.fromEntries(hashes) };
  return [...files, { path: lockPath, text: `${JSON.stringify(lock, null, 2)}\n` }];
}

/** The hashes of a lock; one that cannot be read vouches for nothing. */
export function parseLock(text: string | undefined): ReadonlyMap<string, string> {
  const lock: unknown = tryJson(text ?? 'null');
  const files: unknown = typeof lock === 'object' && lock !== null && 'files' in lock ? lock.files : undefined;
  const entries = typeof files === 'object' && files !== null ? Object.entries(files) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
