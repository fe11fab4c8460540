import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Loaded before every test file: a stack trace names lines of the TypeScript sources, whose maps are read when an error
 * is printed. Node would read the map of every module that it loads.
 */
process.setSourceMapsEnabled(false);
Error.prepareStackTrace = (error: unknown, calls) =>
  [error instanceof Error ? String(error) : 'Error', ...calls.map((call) => `    at ${inSource(String(call))}`)].join('\n');

const maps = new Map<string, SourceMap | undefined>();

function inSource(call: string): string {
  return call.replace(/(file:\/\/[^()]+?\.js):(\d+):(\d+)/, (position, url: string, line: string, column: string) => {
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return position;
    return `${new URL(entry.originalSource, url).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`));
  return maps.get(url);
}

// Code of packages has none.
function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
}
