import { readFileSync } from 'node:fs';
import { ts, type compiler } from '../emit/ts-morph.js';
import { syntaxError } from './config.js';

/**
 * The JavaScript of a TypeScript file, without type checks. The compiler repairs faulty text, such as a truncated one, which
 * would lose its end silently; its syntax errors are usage errors.
 */
export function transpile(path: string, options: compiler.CompilerOptions = {}): string {
  const text = readFileSync(path, 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, allowJs: true, ...options },
  });
  const [wrong] = diagnostics;
  if (wrong !== undefined) throw syntaxError(path, text, wrong.start ?? 0, ts.flattenDiagnosticMessageText(wrong.messageText, ' '));
  return outputText;
}
