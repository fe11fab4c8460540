import { posix } from 'node:path';
import type { OnProgress } from '../runtime/cli/progress.js';
import type { Csdl } from './csdl/csdl.js';
import { linkDocuments } from './csdl/link-documents.js';
import { readDocuments, type Documents, type ReadBeside } from './csdl/read-documents.js';
import { parseJsonTree } from './csdl/json-tree.js';
import { readText, type ModelSource } from './csdl/read-text.js';
import { emitAll } from './emit/artifacts.js';
import { stubsOf } from './emit/emit-handlers.js';
import { emitSchema } from './emit/emit-schema.js';
import type { Home } from './emit/place-imports.js';
import { renderAll } from './emit/render-file.js';
import { buildGraph } from './graph/build-graph.js';
import { checkGraph } from './graph/check-graph.js';
import { checkSize } from './graph/check-size.js';
import type { ModelGraph } from './graph/model-graph.js';
import { withHints } from './migrate/hints.js';
import { noMigrations, planMigrations, UndecidedError, type MigrationOptions, type MigrationPlan } from './migrate/plan-migrations.js';
import { ModelError, type Diagnostic } from './model-error.js';
import type { OutputFile } from './output/header.js';
import { isOfInputs, withLock } from './output/lock.js';
import { applyOverlay } from './overlay/apply-overlay.js';
import { FaultCollector, strictPolicy, type Policy } from './policy.js';
import { indexJoins } from './repair/index-joins.js';
import { fillScale } from './repair/fill-scale.js';
import { inferJoins } from './repair/infer-joins.js';
import { repairDocument } from './repair/repair-document.js';
import { relateKeys } from './repair/related-keys.js';
import { turnConstraints } from './repair/turn-constraints.js';
import { Sources } from './sources.js';
import { generatorVersion } from './version.js';

/** What a run reads besides the model, and how much it takes. */
export interface ReadOptions {
  readonly readBeside?: ReadBeside;
  readonly policy?: Policy;
  /** What the document leaves out. */
  readonly overlay?: ModelSource | undefined;
  /** How the headers of the files name the model; its path when left out. */
  readonly origin?: string;
  /** Whose code it is; the package's own when left out. */
  readonly home?: Home;
  /** The migrations that there are, and what becomes of them; none when left out. */
  readonly migrations?: MigrationOptions;
  /** What the folder's lock says of the last run. */
  readonly lock?: string | undefined;
  /** Told of every file that is generated. */
  readonly onProgress?: OnProgress | undefined;
}

/** A model that can be generated from, and what was found in it on the way. */
interface ReadModel {
  readonly graph: ModelGraph;
  readonly documents: Documents;
  /** The document before the overlay, and before anything was filled in. */
  readonly written: Csdl;
  readonly sources: Sources;
  readonly diagnostics: readonly Diagnostic[];
}

/** A model whose faults may still end the run. */
export interface InspectedModel extends ReadModel {
  readonly collector: FaultCollector;
}

/** The files of a run, and what was found in the model on the way. */
export interface Generated extends ReadModel {
  readonly files: readonly OutputFile[];
  readonly migrations: MigrationPlan;
}

/** A whole run from the bytes of a model to the files to write; throws a ModelError with every fault. */
export function generate(source: ModelSource, options: ReadOptions = {}): Generated {
  const model = readModel(source, options);
  const home = options.home ?? 'package';
  const artifacts = emitAll(model.graph, model.documents, home);
  const origin = options.origin ?? source.path;
  const beside = model.documents.beside.map(({ name, bytes }) => [posix.join(posix.dirname(origin), name), bytes] as const);
  const overlay =
    options.overlay === undefined
      ? []
      : [[posix.join(posix.dirname(origin), posix.basename(options.overlay.path)), options.overlay.bytes] as const];
  const inputs = new Map([[origin, source.bytes], ...beside, ...overlay]);
  const migrations = withFound(model, () =>
    planMigrations(withHints(emitSchema(model.graph), model.graph), origin, {
      ...(options.migrations ?? noMigrations),
      isSameModel: isOfInputs(options.lock, inputs),
    }),
  );
  return {
    ...model,
    migrations,
    files: withLock(
      [
        ...renderAll(artifacts, { source: origin, home, onProgress: options.onProgress }),
        ...stubsOf(model.graph, home),
        ...migrations.files,
      ],
      { generator: generatorVersion, options: provenanceOptions(options.policy), inputs },
    ),
  };
}

// A warning, such as of a default value that is left out, may be why a decision is missing.
function withFound(model: ReadModel, plan: () => MigrationPlan): MigrationPlan {
  try {
    return plan();
  } catch (error) {
    throw error instanceof UndecidedError ? new UndecidedError(error.problems, model) : error;
  }
}

// What the mode changes in the output; a run with the defaults says nothing.
function provenanceOptions({ mode, choices }: Policy = strictPolicy): { readonly [name: string]: string } {
  return { ...(mode === 'lenient' && { mode }), ...choices };
}

/** The model resolved and checked. */
export function readModel(source: ModelSource, options: ReadOptions = {}): ReadModel {
  const { collector, ...model } = inspectModel(source, options);
  collector.stopOnErrors();
  return model;
}

/** What can be said of a model, even of one that cannot be generated from; throws only where it cannot be looked into. */
export function inspectModel(
  source: ModelSource,
  { readBeside = () => undefined, policy = strictPolicy, overlay }: ReadOptions = {},
): InspectedModel {
  const sources = new Sources();
  const collector = new FaultCollector(sources, policy, overlay?.path);
  const { report } = collector;
  const written = readDocuments(source, readBeside, sources, report);
  const included = written.beside.flatMap(({ csdl }) => csdl.schemas);
  const told =
    overlay === undefined
      ? written.main
      : applyOverlay(written.main, parseJsonTree(readText(overlay, sources), { comments: true }), report);
  if (!checkSize({ ...told, schemas: [...told.schemas, ...included] }, report)) throw new ModelError(sources, collector.diagnostics);
  const repaired = repairDocument(told, included, report);
  const joined = policy.mode === 'lenient' ? inferJoins(fillScale(repaired, report), included, report) : repaired;
  const documents = { ...written, main: indexJoins(joined) };
  const graph = buildGraph(relateKeys(turnConstraints(linkDocuments(documents, report))), report);
  checkGraph(graph, report);
  return { graph, documents, written: written.main, sources, diagnostics: collector.diagnostics, collector };
}
