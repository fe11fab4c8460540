import { createRequire } from 'node:module';
import type * as diff from 'diff';
import { withLineFeeds } from './header.js';

/** The unified diff between two texts, as `git apply` reads it; empty where only line breaks differ. */
export function printPatch(path: string, before: string, after: string): string {
  const [old, now] = [withLineFeeds(before), withLineFeeds(after)];
  if (old === now) return '';
  // Loaded where a file was edited, which is rare.
  const { createTwoFilesPatch } = createRequire(import.meta.url)('diff') as typeof diff;
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, old, now, undefined, undefined, { context: 3 });
  return patch.replace(/^=+\n/, '').replace(/^(---|\+\+\+) (.*?)\t?$/gm, '$1 $2');
}
