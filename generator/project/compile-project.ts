import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ts } from '../emit/ts-morph.js';
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

/** Compiles the extensions and the generated files that changed since they were compiled, without type checks; returns their number. */
export function compileChanged(folder: string, output: string, onProgress: OnProgress = () => undefined): number {
  const sources = ['extensions', output]
    .flatMap((part) => listFiles(join(folder, part), '').map((path) => join(part, path)))
    .filter((name) => name.endsWith('.ts') || basename(name) === lockPath)
    .map((path) => ({ source: join(folder, path), target: join(folder, 'dist', path.replace(/\.ts$/, '.js')) }))
    .filter(({ source, target }) => !existsSync(target) || statSync(source).mtimeMs - statSync(target).mtimeMs > rounding);
  sources.forEach(({ source, target }, index) => {
    mkdirSync(dirname(target), { recursive: true });
    // The time of the text that is read: a later one would hide an edit made meanwhile.
    const time = statSync(source).mtimeMs / 1_000;
    const text = readFileSync(source, 'utf8');
    writeFileSync(target, source.endsWith('.ts') ? transpile(text) : text);
    utimesSync(target, time, time);
    onProgress('files compiled', index + 1, sources.length);
  });
  return sources.length;
}

/** Milliseconds by which a file's time may be rounded when it is set. */
const rounding = 0.5;

function transpile(text: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
