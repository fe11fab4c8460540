import { posix } from 'node:path';
import { linkDocuments } from './csdl/link-documents.js';
import { readDocuments, type Documents, type ReadBeside } from './csdl/read-documents.js';
import type { ModelSource } from './csdl/read-text.js';
import { emitAll } from './emit/artifacts.js';
import { emitSchema } from './emit/emit-schema.js';
import { renderAll } from './emit/render-file.js';
import { buildGraph } from './graph/build-graph.js';
import { checkGraph } from './graph/check-graph.js';
import type { ModelGraph } from './graph/model-graph.js';
import { withHints } from './migrate/hints.js';
import { noMigrations, planMigrations, type MigrationOptions, type MigrationPlan } from './migrate/plan-migrations.js';
import type { Diagnostic } from './model-error.js';
import type { OutputFile } from './output/header.js';
import { withLock } from './output/lock.js';
import { FaultCollector, strictPolicy, type Policy } from './policy.js';
import { repairDocument } from './repair/repair-document.js';
import { Sources } from './sources.js';
import { generatorVersion } from './version.js';

/** What a run reads besides the model, and how much it takes. */
export interface ReadOptions {
  readonly readBeside?: ReadBeside;
  readonly policy?: Policy;
  /** How the headers of the files name the model; its path when left out. */
  readonly origin?: string;
  /** The migrations that there are, and what becomes of them; none when left out. */
  readonly migrations?: MigrationOptions;
}

/** A model that can be generated from, and what was found in it on the way. */
export interface ReadModel {
  readonly graph: ModelGraph;
  readonly documents: Documents;
  readonly sources: Sources;
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of a run, and what was found in the model on the way. */
export interface Generated extends ReadModel {
  readonly files: readonly OutputFile[];
  readonly migrations: MigrationPlan;
}

/** A whole run from the bytes of a model to the files to write; throws a ModelError with every fault. */
export function generate(source: ModelSource, options: ReadOptions = {}): Generated {
  const model = readModel(source, options);
  const artifacts = emitAll(model.graph, model.documents);
  const origin = options.origin ?? source.path;
  const beside = model.documents.beside.map(({ name, bytes }) => [posix.join(posix.dirname(origin), name), bytes] as const);
  const inputs = new Map([[origin, source.bytes], ...beside]);
  const migrations = planMigrations(withHints(emitSchema(model.graph), model.graph), origin, options.migrations ?? noMigrations);
  return { ...model, migrations, files: withLock([...renderAll(artifacts, origin), ...migrations.files], { generator: generatorVersion, options: provenanceOptions(options.policy), inputs }) };
}

// What the mode changes in the output; a run with the defaults says nothing.
function provenanceOptions({ mode, choices }: Policy = strictPolicy): { readonly [name: string]: string } {
  return { ...(mode === 'lenient' && { mode }), ...choices };
}

/** The model resolved and checked. */
export function readModel(source: ModelSource, { readBeside = () => undefined, policy = strictPolicy }: ReadOptions = {}): ReadModel {
  const sources = new Sources();
  const collector = new FaultCollector(sources, policy);
  const { report } = collector;
  const written = readDocuments(source, readBeside, sources, report);
  const documents = { ...written, main: repairDocument(written.main, written.beside.flatMap(({ csdl }) => csdl.schemas), report) };
  const graph = buildGraph(linkDocuments(documents, report), report);
  checkGraph(graph, report);
  collector.stopOnErrors();
  return { graph, documents, sources, diagnostics: collector.diagnostics };
}
