import { gravestOf, type Change } from './diff.js';
import type { Verdict } from './rules.js';

/** The part of a version that has to grow. */
export type Step = 'major' | 'minor' | 'patch' | 'none';

/**
 * The step for clients and programs; changes of the database alone are migrations, which no version promises anything
 * about.
 */
export function stepOf(changes: readonly Change[]): Step {
  const has = (verdict: Verdict): boolean => changes.some(({ consumers, types }) => consumers === verdict || types === verdict);
  if (has('breaking')) return 'major';
  if (has('additive')) return 'minor';
  return changes.length > 0 ? 'patch' : 'none';
}

/** The version after a step; below 1.0.0 a breaking change raises the second number (Semantic Versioning 2.0.0, 4). */
export function nextVersion(version: string, step: Step): string {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  const isEarly = major === 0;
  switch (step) {
    case 'major':
      return isEarly ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
    case 'minor':
      return isEarly ? `0.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
    case 'patch':
      return `${major}.${minor}.${patch + 1}`;
    case 'none':
      return version;
  }
}

/** The number of changes by their most severe verdict. */
export function countsOf(changes: readonly Change[]): Readonly<Record<Verdict, number>> {
  const count = (verdict: Verdict): number => changes.filter((change) => gravestOf(change) === verdict).length;
  return { breaking: count('breaking'), additive: count('additive'), patch: count('patch') };
}

/** The lines of a changelog: breaking changes first, then additions; changes of descriptions alone are omitted. */
export function changelogLines(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.flatMap(changelogLine))];
}

function changelogLine(change: Change): readonly string[] {
  const text = `\`${change.called}\`: ${change.message}`;
  switch (gravestOf(change)) {
    case 'breaking':
      return [`- **Breaking**, \`${change.rule}\`: ${text}`];
    case 'additive':
      return [`- ${text}`];
    case 'patch':
      return [];
  }
}

/** Adds lines to a changelog under the heading Model of its unreleased part, without repeating existing lines. */
export function withEntry(changelog: string, lines: readonly string[]): string {
  const heading = /^## \[?Unreleased\]?.*$/im;
  const base = heading.test(changelog) ? changelog : `${changelog.replace(/\n*$/, changelog.trim() === '' ? '' : '\n\n')}## [Unreleased]\n`;
  const start = base.search(heading);
  const after = base.slice(start);
  const end = after.slice(1).search(/^## /m);
  const section = end < 0 ? after : after.slice(0, end + 1);
  const fresh = lines.filter((line) => !section.includes(line));
  return base.slice(0, start) + extended(section, fresh, end < 0) + (end < 0 ? '' : after.slice(end + 1));
}

// Appends the lines to "### Model", which is added as the first heading if missing.
function extended(section: string, lines: readonly string[], isLast: boolean): string {
  if (lines.length === 0) return section;
  const text = `${lines.join('\n')}\n`;
  const model = /^### Model\n(?:(?!#).*\n?)*/m.exec(section);
  if (model === null) {
    const [title = '', rest = ''] = [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n')).replace(/^\n+/, '')];
    return `${title}\n\n### Model\n${text}${rest === '' && isLast ? '' : '\n'}${rest}`;
  }
  const [found] = model;
  return section.replace(found, () => `${found.trimEnd()}\n${text}${found.endsWith('\n\n') ? '\n' : ''}`);
}
