import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { transpile } from '../config/transpile.js';
import type { OnProgress } from '../../runtime/tools/cli/progress.js';
import { lockPath } from '../output/lock.js';
import { listFiles } from '../output/output-tree.js';
import { packageRoot } from '../version.js';

/** Compiles a project like its own compiler, without type checks, and links this package without an installation. */
export function compileProject(folder: string, onProgress: OnProgress = () => undefined): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(packageRoot, join(folder, 'node_modules', 'gable'), 'junction');
  compileChanged(folder, 'generated', onProgress);
}

/**
 * Compiles the extensions and the generated files that changed since they were compiled, without type checks, and deletes the
 * compiled files of removed ones; returns the number of both.
 */
export function compileChanged(folder: string, output: string, onProgress: OnProgress = () => undefined): number {
  const parts = ['extensions', output];
  const sources = parts
    .flatMap((part) => listFiles(join(folder, part), '').map((path) => join(part, path)))
    .filter((name) => name.endsWith('.ts') || basename(name) === lockPath)
    .map((path) => ({ source: join(folder, path), target: join(folder, 'dist', path.replace(/\.ts$/, '.js')) }))
    .filter(({ source, target }) => !existsSync(target) || statSync(source).mtimeMs - statSync(target).mtimeMs > rounding);
  sources.forEach(({ source, target }, index) => {
    mkdirSync(dirname(target), { recursive: true });
    // The time of the text that is read: a later one would hide an edit made meanwhile.
    const time = statSync(source).mtimeMs / 1_000;
    writeFileSync(target, source.endsWith('.ts') ? transpile(source, { verbatimModuleSyntax: true }) : readFileSync(source));
    utimesSync(target, time, time);
    onProgress('files compiled', index + 1, sources.length);
  });
  const left = parts.flatMap((part) => leftIn(folder, part));
  left.forEach((path) => rmSync(path));
  return sources.length + left.length;
}

// Compiled files without a source of their name.
function leftIn(folder: string, part: string): readonly string[] {
  const compiled = listFiles(join(folder, 'dist', part), '').filter((path) => path.endsWith('.js'));
  const hasSource = (path: string): boolean => [path, path.replace(/js$/, 'ts')].some((name) => existsSync(join(folder, part, name)));
  return compiled.filter((path) => !hasSource(path)).map((path) => join(folder, 'dist', part, path));
}

/** Milliseconds by which a file's time may be rounded when it is set. */
const rounding = 0.5;
