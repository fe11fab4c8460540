import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownershipOf, type OutputFile } from './header.js';
import { lockPath, parseLock } from './lock.js';

/** What a run would do to a folder; paths are relative to it. */
export interface TreePlan {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
  /** Files in the way that are not ours to overwrite or remove. */
  readonly refused: readonly { readonly path: string; readonly why: 'edited' | 'foreign' }[];
}

/** Compares the rendered files with a folder; writes nothing. */
export function planTree(folder: string, files: readonly OutputFile[]): TreePlan {
  const present = listFiles(folder, '');
  const lock = parseLock(readText(folder, lockPath));
  const wanted = new Map(files.map(({ path, text }) => [path, text]));
  const verdicts = [...wanted].map(([path, text]) => [path, compare(folder, path, text, lock)] as const);
  const orphans = present.filter((path) => !wanted.has(path)).map((path) => [path, orphan(folder, path, lock)] as const);
  const paths = (verdict: Verdict): readonly string[] => [...verdicts, ...orphans].filter(([, found]) => found === verdict).map(([path]) => path);
  return {
    added: paths('added'),
    changed: paths('changed'),
    removed: paths('removed'),
    unchanged: paths('unchanged'),
    refused: (['edited', 'foreign'] as const).flatMap((why) => paths(why).map((path) => ({ path, why }))),
  };
}

/** Carries a plan out: every text is on disk beside its place before the first one takes it. */
export function writeTree(folder: string, files: readonly OutputFile[], plan: TreePlan): void {
  if (plan.refused.length > 0) throw new Error('A refused plan must not be written.');
  const suffix = `.${randomBytes(4).toString('hex')}.tmp`;
  const changes = new Set([...plan.added, ...plan.changed]);
  const staged = files.filter(({ path }) => changes.has(path));
  try {
    for (const { path, text } of staged) stage(join(folder, path), text, suffix);
    for (const { path } of staged) renameSync(join(folder, path) + suffix, join(folder, path));
  } finally {
    for (const { path } of staged) rmSync(join(folder, path) + suffix, { force: true });
  }
  for (const path of plan.removed) remove(folder, path);
}

type Verdict = 'added' | 'changed' | 'removed' | 'unchanged' | 'edited' | 'foreign' | 'kept';

function compare(folder: string, path: string, text: string, lock: ReadonlyMap<string, string>): Verdict {
  const written = readText(folder, path);
  if (written === undefined) return existsSync(join(folder, path)) ? 'foreign' : 'added';
  if (written === text || written.replace(/\r\n/g, '\n') === text) return 'unchanged';
  if (path === lockPath) return 'changed';
  const ownership = ownershipOf(path, written, lock);
  return ownership === 'generated' ? 'changed' : ownership;
}

// A file that nothing generates any more goes if it is ours; anyone else's stays where it is.
function orphan(folder: string, path: string, lock: ReadonlyMap<string, string>): Verdict {
  const ownership = ownershipOf(path, readText(folder, path) ?? '', lock);
  if (ownership === 'generated') return 'removed';
  return ownership === 'edited' ? 'edited' : 'kept';
}

function listFiles(folder: string, under: string): readonly string[] {
  const here = join(folder, under);
  if (!existsSync(here)) return [];
  return readdirSync(here, { withFileTypes: true })
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      if (entry.isDirectory()) return listFiles(folder, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

// A link is not followed: what it leads to is not ours.
function readText(folder: string, path: string): string | undefined {
  const full = join(folder, path);
  const isFile = existsSync(full) && lstatSync(full).isFile();
  return isFile ? readFileSync(full, 'utf8') : undefined;
}

function stage(path: string, text: string, suffix: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path + suffix, text, { flag: 'wx' });
}

function remove(folder: string, path: string): void {
  rmSync(join(folder, path));
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    if (readdirSync(join(folder, parent)).length > 0) return;
    rmdirSync(join(folder, parent));
  }
}
