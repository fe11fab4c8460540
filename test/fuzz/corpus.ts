import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Query strings and bodies of the project's own cases, which inputs are made of. */
export interface Corpus {
  /** The paths after the service root. */
  readonly urls: readonly string[];
  readonly bodies: readonly string[];
}

/** Every case that there is for the listing model. */
export function listingCorpus(): Corpus {
  const { urls, bodies } = readCorpus(filesIn(join('test', 'http'), '.http'));
  const filters = linesOf(join('test', 'expression')).map((line) => `/Property?$filter=${encodeURIComponent(line)}`);
  const uris = linesOf(join('test', 'uri')).map((line) => (line.startsWith('/') ? line : `/Property?${line}`));
  return { urls: [...urls, ...filters, ...uris], bodies };
}

/** The requests of some exchange files. */
export function readCorpus(files: readonly string[]): Corpus {
  const exchanges = files
    .flatMap((file) => paragraphs(file, /^### /m))
    .map((text) => text.slice(text.indexOf('\n') + 1).split(/^---\n/m)[0] ?? '');
  const urls = exchanges.map((text) => /^[A-Z]+ (\/\S*)/.exec(text)?.[1]).filter((url) => url !== undefined);
  const bodies = exchanges.map((text) => text.split('\n\n').slice(1).join('\n\n').trim()).filter((body) => body.startsWith('{'));
  return { urls, bodies: bodies.length === 0 ? ['{}'] : bodies };
}

// The first line of each case.
function linesOf(folder: string): readonly string[] {
  return filesIn(folder, '.case')
    .flatMap((file) => paragraphs(file, /\n\n+/))
    .map((text) => text.split('\n')[0] ?? '');
}

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

function paragraphs(file: string, separator: RegExp): readonly string[] {
  return readFileSync(file, 'utf8').split(separator).slice(1);
}
