import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { checkConfig, policyOf } from '../../generator/config/config.js';
import { generate, type Generated } from '../../generator/generate.js';
import { ModelError, printFault, printFrame } from '../../generator/model-error.js';
import type { OutputFile } from '../../generator/output/header.js';

// From the compiled file: generator, test, dist, and from there to the sources.
const folder = new URL('../../../test/generator/cases/', import.meta.url);

/** The names of all cases. */
export function caseNames(): readonly string[] {
  return readdirSync(folder).sort();
}

/** A run over a case; throws a ModelError for a bad one. A configuration in its folder says how lenient the run is. */
export function runCase(name: string): Generated {
  const read = (file: string): Uint8Array | undefined => {
    const place = new URL(`${name}/${file}`, folder);
    return existsSync(place) ? readFileSync(place) : undefined;
  };
  const path = ['model.xml', 'model.json'].find((file) => read(file) !== undefined) ?? '';
  const config = checkConfig(JSON.parse(Buffer.from(read('gable.config.json') ?? Buffer.from('{}')).toString()), 'gable.config.json');
  const overlay = read('overlay.jsonc');
  return generate(
    { path, bytes: read(path) ?? Buffer.alloc(0) },
    { readNeighbour: read, policy: policyOf(config, undefined), overlay: overlay && { path: 'overlay.jsonc', bytes: overlay } },
  );
}

const runs = new Map<string, Generated | ModelError>();

/** The first run over a case, or its faults. */
export function firstRun(name: string): Generated | ModelError {
  const run = runs.get(name) ?? tryCase(name);
  runs.set(name, run);
  return run;
}

function tryCase(name: string): Generated | ModelError {
  try {
    return runCase(name);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
}

/** Everything that the generator writes for a case. */
export function generateCase(name: string): readonly OutputFile[] {
  return runCase(name).files;
}

/** Compares a case with its expectation: the files its first comment names, or every fault with its frame. */
export function check(t: ExecutionContext, name: string): void {
  const { file, text } = outcomeOf(name);
  const place = new URL(`${name}/${file}`, folder);
  if (process.env['UPDATE'] === '1') writeFileSync(place, text);
  t.is(text, existsSync(place) ? readFileSync(place, 'utf8') : '', `${name}/${file}; UPDATE=1 rewrites it`);
}

/** The text of a bad case's expectation. */
export function printErrors({ sources, diagnostics }: Pick<Generated, 'sources' | 'diagnostics'>): string {
  return diagnostics.map((diagnostic) => `${printFault(sources, diagnostic)}\n${printFrame(sources, diagnostic.at)}`).join('\n');
}

function outcomeOf(name: string): { readonly file: string; readonly text: string } {
  const run = firstRun(name);
  if (run instanceof ModelError) return { file: 'errors.txt', text: printErrors(run) };
  const wanted = wantedFiles(name);
  const files = run.files.filter(({ path }) => wanted.includes(path)).map(({ path, text }) => `=== ${path}\n${text}`);
  const warnings = run.diagnostics.length === 0 ? [] : [`=== diagnostics\n${printErrors(run)}`];
  return { file: 'expected.txt', text: [...warnings, ...files].join('\n') };
}

// The first comment of a model in XML names the files; the others have them in a file of their own.
function wantedFiles(name: string): readonly string[] {
  const list = new URL(`${name}/files.txt`, folder);
  if (existsSync(list)) return readFileSync(list, 'utf8').trim().split(' ');
  const model = new URL(`${name}/model.xml`, folder);
  return existsSync(model) ? (/ files: (.*?) -->/.exec(readFileSync(model, 'utf8'))?.[1]?.split(' ') ?? []) : [];
}
