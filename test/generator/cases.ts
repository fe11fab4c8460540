import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { generate } from '../../generator/generate.js';
import { ModelError, printFault, printFrame } from '../../generator/model-error.js';
import type { OutputFile } from '../../generator/output/header.js';

// From the compiled file: generator, test, dist, and from there to the sources.
const folder = new URL('../../../test/generator/cases/', import.meta.url);

/** The names of all cases. */
export function caseNames(): readonly string[] {
  return readdirSync(folder).sort();
}

/** Everything that the generator writes for a case; throws a ModelError for a bad one. */
export function generateCase(name: string): readonly OutputFile[] {
  return generate({ path: 'model.xml', bytes: readFileSync(new URL(`${name}/model.xml`, folder)) });
}

/** Compares a case with its expectation: the files its first comment names, or every fault with its frame. */
export function check(t: ExecutionContext, name: string): void {
  const { file, text } = outcomeOf(name);
  const place = new URL(`${name}/${file}`, folder);
  if (process.env['UPDATE'] === '1') writeFileSync(place, text);
  t.is(text, existsSync(place) ? readFileSync(place, 'utf8') : '', `${name}/${file}; UPDATE=1 rewrites it`);
}

/** What the expectation of a bad case says. */
export function printErrors({ text, faults, path }: ModelError): string {
  return faults.map((fault) => `${printFault(path, text, fault)}\n${text === '' ? '' : `${printFrame(text, fault.at)}\n`}`).join('\n');
}

function outcomeOf(name: string): { readonly file: string; readonly text: string } {
  try {
    const wanted = wantedFiles(name);
    const files = generateCase(name).filter(({ path }) => wanted.includes(path));
    return { file: 'expected.txt', text: files.map(({ path, text }) => `=== ${path}\n${text}`).join('\n') };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { file: 'errors.txt', text: printErrors(error) };
  }
}

function wantedFiles(name: string): readonly string[] {
  const model = readFileSync(new URL(`${name}/model.xml`, folder), 'utf8');
  return /<!-- files: (.*?) -->/.exec(model)?.[1]?.split(' ') ?? [];
}
