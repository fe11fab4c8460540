import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Query strings and bodies of the project's own cases, which inputs are made of. */
export interface Corpus {
  /** What follows the service root. */
  readonly urls: readonly string[];
  readonly bodies: readonly string[];
}

/** Reads every case there is. */
export function readCorpus(): Corpus {
  const exchanges = paragraphs(join('test', 'http'), '.http', /^### /m).map((text) => text.slice(text.indexOf('\n') + 1).split(/^---\n/m)[0] ?? '');
  const requests = exchanges.map((text) => /^[A-Z]+ (\/\S*)/.exec(text)?.[1]).filter((url) => url !== undefined);
  const filters = paragraphs(join('test', 'expression'), '.case', /\n\n+/).map((text) => `/Property?$filter=${encodeURIComponent(text.split('\n')[0] ?? '')}`);
  const uris = paragraphs(join('test', 'uri'), '.case', /\n\n+/).map((text) => text.split('\n')[0] ?? '').map((line) => (line.startsWith('/') ? line : `/Property?${line}`));
  const bodies = exchanges.map((text) => text.split('\n\n').slice(1).join('\n\n').trim()).filter((body) => body.startsWith('{'));
  return { urls: [...requests, ...filters, ...uris], bodies };
}

function paragraphs(folder: string, ending: string, separator: RegExp): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(ending));
  return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split(separator).slice(1));
}
