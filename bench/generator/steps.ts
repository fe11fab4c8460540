import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { businessModel } from './business-model.js';
import { measureRun, type Measured } from './measured-run.js';
import { syntheticModel } from './synthetic-model.js';

/** One thing that is measured; `prepare` is not part of it. */
export interface Step {
  readonly name: string;
  /** Seconds, or undefined where the time is judged relative to other steps. */
  readonly target: number | undefined;
  /** Properties of a made model, where times are compared. */
  readonly properties?: number;
  readonly prepare: (folder: string) => Promise<unknown> | void;
  readonly run: (folder: string) => Promise<Measured>;
}

const gable = resolve('dist/gable.js');
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');

// RESO's Data Dictionary 2.0 has so many.
const dataDictionary = 1_602;
// SAP Business One has about so many, in a document of 1.2 MB.
const businessTypes = 400;
// Each twice the one before.
const growingSizes = [2_500, 5_000, 10_000] as const;

/** Everything that is measured, in its order; the document stands in for RESO's Data Dictionary. */
export function stepsFor(document: string | undefined): readonly Step[] {
  const large = document === undefined ? `${dataDictionary} properties` : basename(document);
  return [
    { name: 'listing model, cold', target: 2, prepare: copyListingModel, run: generateIn },
    { name: 'listing model, unchanged', target: 0.5, prepare: generateBefore, run: generateIn },
    { name: `${large}, cold`, target: 1.5, prepare: (folder) => provide(folder, document), run: generateIn },
    { name: `${large}, tsc of its types`, target: 1.5, prepare: (folder) => consume(folder, document), run: compileIn },
    {
      name: `${businessTypes} entity types with ${businessTypes} imports, cold`,
      target: 15,
      prepare: (folder) => write(folder, businessModel(businessTypes)),
      run: generateIn,
    },
    ...growingSizes.map((properties) => ({
      name: `${properties} properties, cold`,
      target: undefined,
      properties,
      prepare: (folder: string) => write(folder, syntheticModel({ properties, perType: 50 })),
      run: generateIn,
    })),
  ];
}

/** Runs a step once, in a separate folder. */
export async function runStep({ prepare, run }: Step): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'gable-bench-'));
  try {
    await prepare(folder);
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyListingModel(folder: string): void {
  cpSync('model', join(folder, 'model'), { recursive: true });
}

// The cache of an earlier run is in node_modules.
async function generateBefore(folder: string): Promise<void> {
  copyListingModel(folder);
  mkdirSync(join(folder, 'node_modules'));
  await generateIn(folder);
}

function provide(folder: string, document: string | undefined): void {
  if (document === undefined) return write(folder, syntheticModel({ properties: dataDictionary, perType: 40 }));
  mkdirSync(join(folder, 'model'));
  cpSync(document, join(folder, 'model', 'metadata.xml'));
}

function write(folder: string, model: string): void {
  mkdirSync(join(folder, 'model'));
  writeFileSync(join(folder, 'model', 'metadata.xml'), model);
}

async function consume(folder: string, document: string | undefined): Promise<void> {
  provide(folder, document);
  await generateIn(folder);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'gable'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'consumer.ts'), "export type * from './generated/types.js';\n");
}

// Lenient, because real documents have gaps.
function generateIn(folder: string): Promise<Measured> {
  return measureRun(gable, ['generate', '--lenient'], folder);
}

// With options that `tsc --init` writes; without `--skipLibCheck` most of the time is spent on the libraries of TypeScript.
function compileIn(folder: string): Promise<Measured> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  return measureRun(compiler, [...options, 'consumer.ts'], folder);
}
