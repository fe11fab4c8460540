import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownershipOf, withLineFeeds, type LockedHashes, type OutputFile } from './header.js';
import { lockedHandlers, lockPath, parseLock, provenanceOf } from './lock.js';
import { printPatch } from './patch.js';
import { carryOut, stagePath } from './stage.js';

/** The changes that a run would make to a folder; paths are relative to it. */
export interface TreePlan {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
  /** Files that the run may not overwrite or remove. */
  readonly refused: readonly Refusal[];
  /** Handlers of operations that the model no longer has. They belong to the user, and stay. */
  readonly unused: readonly UnusedHandler[];
}

/** A file that no generated code imports any more. */
export interface UnusedHandler {
  readonly path: string;
  /** Its operation, such as `Action Ns.Reply(Ns.Item)`. */
  readonly operation: string;
}

/** A file that stops a run, with its edits. */
export interface Refusal {
  readonly path: string;
  readonly why: 'edited' | 'foreign';
  /** From the generated text to the one on disk; empty for a file that was never generated. */
  readonly patch: string;
  /** Whether the patch has only the edit; otherwise the generated text has changed as well. */
  readonly exact: boolean;
}

/**
 * Compares the rendered files with a folder; writes nothing. Files in `gone` are removed or overwritten, whoever owns
 * them.
 */
export function planTree(folder: string, files: readonly OutputFile[], gone: readonly string[] = []): TreePlan {
  const present = listFiles(folder, '');
  const written = lockIn(folder);
  const lock = parseLock(written);
  const wanted = new Map(files.map((file) => [file.path, file]));
  const verdicts = [...wanted].map(([path, file]) => [path, gone.includes(path) ? 'changed' : compare(folder, file, lock)] as const);
  const orphans = present
    .filter((path) => !wanted.has(path))
    .map((path) => [path, gone.includes(path) ? 'removed' : orphan(folder, path, lock)] as const);
  const paths = (verdict: Verdict): readonly string[] =>
    [...verdicts, ...orphans].filter(([, found]) => found === verdict).map(([path]) => path);
  const exact = provenanceOf(written) === provenanceOf(wanted.get(lockPath)?.text);
  const patchOf = (path: string): string =>
    wanted.has(path) ? printPatch(path, wanted.get(path)?.text ?? '', readText(folder, path) ?? '') : '';
  return {
    added: paths('added'),
    changed: paths('changed'),
    removed: paths('removed'),
    unchanged: paths('unchanged'),
    refused: [
      ...paths('edited').map((path) => ({ path, why: 'edited' as const, patch: patchOf(path), exact: exact && wanted.has(path) })),
      ...paths('foreign').map((path) => ({ path, why: 'foreign' as const, patch: '', exact })),
    ],
    unused: [...lockedHandlers(written)]
      .filter(([, { path }]) => !wanted.has(path) && existsSync(join(folder, path)))
      .map(([operation, { path }]) => ({ path, operation })),
  };
}

/** The lock of a folder, by which a run knows whether another one has written to it. */
export function lockIn(folder: string): string | undefined {
  return readText(folder, lockPath);
}

/** Executes a plan atomically; refuses where the folder has another lock than before the run read it. */
export function writeTree(folder: string, files: readonly OutputFile[], plan: TreePlan, before: string | undefined): void {
  if (plan.refused.length > 0) throw new Error('A rejected plan must not be written.');
  const changes = new Set([...plan.added, ...plan.changed]);
  const isCurrent = (): boolean => lockIn(folder) === before;
  carryOut(folder, { written: files.filter(({ path }) => changes.has(path)), removed: plan.removed, isCurrent });
}

/** The files of a folder, sorted, without staged ones, links and folders. */
export function listFiles(folder: string, under: string): readonly string[] {
  const here = join(folder, under);
  if (!existsSync(here)) return [];
  return readdirSync(here, { withFileTypes: true })
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      if (entry.isDirectory()) return path === stagePath ? [] : listFiles(folder, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

type Verdict = 'added' | 'changed' | 'removed' | 'unchanged' | 'edited' | 'foreign' | 'kept';

function compare(folder: string, { path, text, once }: OutputFile, lock: LockedHashes): Verdict {
  const written = readText(folder, path);
  if (once) return written === undefined && !existsSync(join(folder, path)) ? 'added' : 'kept';
  if (written === undefined) return existsSync(join(folder, path)) ? 'foreign' : 'added';
  if (withLineFeeds(written) === text) return 'unchanged';
  if (path === lockPath) return 'changed';
  const ownership = ownershipOf(path, written, lock);
  return ownership === 'generated' ? 'changed' : ownership;
}

// A file that is no longer generated is removed if it was; anyone else's stays.
function orphan(folder: string, path: string, lock: LockedHashes): Verdict {
  const ownership = ownershipOf(path, readText(folder, path) ?? '', lock);
  if (ownership === 'generated') return 'removed';
  return ownership === 'edited' ? 'edited' : 'kept';
}

// A link is not followed: its target belongs to somebody else.
function readText(folder: string, path: string): string | undefined {
  const full = join(folder, path);
  const isFile = existsSync(full) && lstatSync(full).isFile();
  return isFile ? readFileSync(full, 'utf8') : undefined;
}
