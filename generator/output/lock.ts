import type { OperationNames } from '../graph/name-operations.js';
import { hashOf, type LockedHashes, type OutputFile } from './header.js';

/** The lock: the inputs of the folder, and its files. */
export const lockPath = '.lock.json';

/** The inputs of a run, by their names in messages. */
interface Provenance {
  /** The version of the generator. */
  readonly generator: string;
  readonly options: { readonly [name: string]: string | boolean };
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  /** The handler of each overload of an operation: its path, its constant and its type. */
  readonly operations?: ReadonlyMap<string, string>;
}

/** The files, followed by the lock. */
export function withLock(
  files: readonly OutputFile[],
  { generator, options, inputs, operations = new Map() }: Provenance,
): readonly OutputFile[] {
  const owned = files.filter(({ once }) => !once).map(({ path, text }) => [path, hashOf(text)] as const);
  const lock = {
    comment: 'Written by `npm run generate`: its inputs, and the SHA-256 of every file that it wrote.',
    generator,
    options,
    inputs: Object.fromEntries([...inputs].map(([path, bytes]) => [path, hashOf(bytes)])),
    files: Object.fromEntries(owned),
    ...(operations.size > 0 && { operations: Object.fromEntries(operations) }),
  };
  return [...files, { path: lockPath, text: `${JSON.stringify(lock, null, 2)}\n` }];
}

/** A handler that a lock names: its path, and its names in code. */
type LockedHandler = OperationNames & { readonly path: string };

/** The handlers of a lock by kind and signature, read line by line; of two sides of a merge conflict the first counts. */
export function lockedHandlers(text: string | undefined): ReadonlyMap<string, LockedHandler> {
  const handlers = new Map<string, LockedHandler>();
  for (const [, key = '', path = '', file = '', handler = '', type = ''] of (text ?? '').matchAll(handlerLine)) {
    const operation = JSON.parse(key) as string;
    if (!handlers.has(operation)) handlers.set(operation, { path, file, handler, type });
  }
  return handlers;
}

const handlerLine = /^\s*("(?:[^"\\]|\\.)*"): "(\S+\/(\S+)\.ts) (\S+) (\S+)Handler",?\r?$/gm;

/** The part of a lock before its files: equal for two runs of one generator on one model. */
export function provenanceOf(lock: string | undefined): string {
  return (lock ?? '').split('"files"')[0] ?? '';
}

/** The hashes of a lock, read line by line so that one within a merge conflict has those of both sides. */
export function parseLock(text: string | undefined): LockedHashes {
  const hashes = new Map<string, Set<string>>();
  for (const [, name = '', hash = ''] of (text ?? '').matchAll(/^\s*("(?:[^"\\]|\\.)*"): "([0-9a-f]{64})",?\r?$/gm)) {
    const path = JSON.parse(name) as string;
    hashes.set(path, (hashes.get(path) ?? new Set()).add(hash));
  }
  return hashes;
}
