import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts = require('typescript');
import { defaultOverlay } from '../../generator/cli/open-model.js';
import { printFault, ModelError } from '../../generator/model-error.js';
import { beginTrial } from '../../runtime/tools/cli/try.js';
import { seedSamples } from '../../runtime/tools/samples/seed-samples.js';
import type { Random } from '../permission/random.js';
import { patientSettings } from '../support/database.js';
import { questionModel } from './questions/question-model.js';
import { collectionsOf, examineSet, setChecks, type SetCheck, type Verdict } from './examine-set.js';

/** The steps that a document takes, in their order. */
export const steps = ['generate', 'types', 'migrate', 'start', 'samples'] as const;

/** How many records every type has before the sets are asked. */
const samples = 10;

/** How far a document came. */
export interface Examined {
  readonly document: string;
  /** The steps that held; the first that did not ends the way, but types, which the others do not need. */
  readonly held: ReadonlySet<(typeof steps)[number]>;
  readonly sets: number;
  readonly verdicts: { readonly [Check in SetCheck]: { readonly held: number; readonly asked: number } };
  readonly failures: readonly string[];
  readonly milliseconds: number;
}

/** How a document is read, and what makes up the questions that its sets are asked beyond the usual ones. */
export interface Manner {
  readonly mode: 'lenient' | 'strict';
  readonly questions?: Random;
}

/** Takes one document through its whole life in a temporary project. */
export async function examineModel(document: string, { mode, questions }: Manner = { mode: 'lenient' }): Promise<Examined> {
  const started = performance.now();
  const held = new Set<(typeof steps)[number]>();
  const failures: string[] = [];
  const verdicts = Object.fromEntries(setChecks.map((check) => [check, { held: 0, asked: 0 }])) as Record<
    SetCheck,
    { held: number; asked: number }
  >;
  const trial = beginTrial({ ...patientSettings, ...process.env, PORT: '0', GABLE_LOG_LEVEL: 'silent' });
  let sets: readonly string[] = [];
  try {
    const overlay = defaultOverlay(document);
    trial.make(document, existsSync(overlay) ? overlay : undefined, { mode, choices: {} });
    held.add('generate');
    const faults = typeFaults(trial.folder);
    if (faults.length === 0) held.add('types');
    else failures.push(`types: ${faults[0]}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}`);
    const model = await trial.load();
    const database = await trial.open(model);
    held.add('migrate');
    const { url } = await trial.serve(model, database);
    held.add('start');
    const { refused } = await seedSamples(database.pool, model.container, samples);
    if (refused.length === 0) held.add('samples');
    failures.push(...refused.map(({ type, reason }) => `samples of ${type}: ${reason}`));
    // Types that derive from each other have numbered theirs in one row.
    let last = samples * Object.keys(model.container.entityTypes).length;
    const asked = { container: model.container, root: `${url}/odata`, fresh: () => last++ };
    const collections = await collectionsOf(asked);
    sets = collections.map(({ path }) => path);
    for (const collection of collections) count(collection.path, await examineSet({ ...collection, ...asked }), verdicts, failures);
    if (questions)
      failures.push(...(await questionModel({ container: model.container, root: `${url}/odata`, random: questions }, collections)));
  } catch (failure) {
    const step = steps.find((candidate) => candidate !== 'types' && !held.has(candidate)) ?? 'sets';
    failures.push(...messagesOf(failure).map((message) => `${step}: ${message}`));
  } finally {
    await trial.end();
  }
  return { document, held, sets: sets.length, verdicts, failures, milliseconds: Math.round(performance.now() - started) };
}

function count(
  set: string,
  found: { readonly [Check in SetCheck]: Verdict },
  verdicts: Record<SetCheck, { held: number; asked: number }>,
  failures: string[],
): void {
  for (const check of setChecks) {
    const verdict = found[check];
    if (verdict === 'not offered') continue;
    verdicts[check].asked += 1;
    if (verdict === 'held') verdicts[check].held += 1;
    else failures.push(`${check} ${set}: ${verdict.failure}`);
  }
}

/** The number of reported faults of a rejected document. */
const toldFaults = 5;

// The fatal faults first, and then warnings, which may be the reason.
function messagesOf(failure: unknown): readonly string[] {
  if (!(failure instanceof ModelError)) return [failure instanceof Error ? failure.message : String(failure)];
  const { diagnostics, sources } = failure;
  const ordered = [...diagnostics].sort((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'));
  const told = ordered.slice(0, toldFaults).map((fault) => printFault(sources, fault));
  return ordered.length > toldFaults ? [...told, `and ${ordered.length - toldFaults} more`] : told;
}

function typeFaults(folder: string): readonly string[] {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, compilerOptions: { ...config.compilerOptions, types: [], noEmit: true } },
    ts.sys,
    folder,
  );
  const roots = ['generated/index.ts', 'generated/types.ts', 'extensions/index.ts'].map((file) => join(folder, file));
  return ts
    .getPreEmitDiagnostics(ts.createProgram(roots, options))
    .map(({ messageText, file }) => `${file?.fileName.replace(folder, '') ?? ''} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}
