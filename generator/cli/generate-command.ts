import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The command, for the current folder, that writes what a check with these arguments found stale. */
export function generateCommand(
  args: readonly string[],
  folder: string,
  { npm_command: npm, npm_lifecycle_event: script }: NodeJS.ProcessEnv,
): string {
  const kept = args
    .filter((arg) => arg !== '--check' && arg !== '--json')
    .map((arg) => (/^[\w./:=@-]+$/.test(arg) ? arg : JSON.stringify(arg)));
  if (kept.length === 0 && hasScript(folder)) return 'npm run generate';
  const gable = script === 'gable' ? 'npm run gable --' : npm === 'exec' ? 'npx gable' : 'gable';
  return [gable, 'generate', ...kept].join(' ');
}

function hasScript(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly scripts?: { readonly generate?: unknown } };
  return typeof scripts?.generate === 'string';
}
