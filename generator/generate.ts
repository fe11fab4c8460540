import { posix } from 'node:path';
import type { OnProgress } from '../runtime/tools/cli/progress.js';
import type { Csdl } from './csdl/csdl.js';
import { linkDocuments } from './csdl/link-documents.js';
import { readDocuments, type Documents, type ReadNeighbour } from './csdl/read-documents.js';
import { parseJsonTree } from './csdl/json-tree.js';
import { readText, type ModelSource } from './csdl/read-text.js';
import { emitAll, emitClientFiles } from './emit/artifacts.js';
import { handlerLines, stubsOf } from './emit/emit-handlers.js';
import { emitSchema } from './emit/emit-schema.js';
import type { Home } from './emit/place-imports.js';
import { renderAll } from './emit/render-file.js';
import { buildGraph } from './graph/build-graph.js';
import { checkGraph } from './graph/checks/check-graph.js';
import { checkSize } from './graph/checks/check-size.js';
import { omitAbstract, omitRedefined } from './graph/values/omit-properties.js';
import type { ModelGraph } from './graph/model-graph.js';
import type { FormerOperations } from './graph/name-operations.js';
import { withHints } from './migrate/hints.js';
import { noMigrations, planMigrations, UndecidedError, type MigrationOptions, type MigrationPlan } from './migrate/plan-migrations.js';
import { ModelError, type Diagnostic } from './model-error.js';
import type { OutputFile } from './output/header.js';
import { withLock } from './output/lock.js';
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
import { shareProperties } from './repair/share-properties.js';

/** The inputs of a run besides the model, and its policy. */
export interface ReadOptions {
  readonly readNeighbour?: ReadNeighbour;
  readonly policy?: Policy;
  /** The overlay. */
  readonly overlay?: ModelSource | undefined;
  /** The model's name in the headers of the files; by default its path. */
  readonly origin?: string;
  /** The package of the code; by default this one. */
  readonly home?: Home;
  /** The existing migrations, and decisions for the next one; none by default. */
  readonly migrations?: MigrationOptions;
  /** The names that the last run gave to operations; none by default. */
  readonly former?: FormerOperations;
  /** Called for every generated file. */
  readonly onProgress?: OnProgress | undefined;
}

/** A valid model, with its findings. */
interface ReadModel {
  readonly graph: ModelGraph;
  readonly documents: Documents;
  /** The document before the overlay and repairs. */
  readonly written: Csdl;
  readonly sources: Sources;
  readonly diagnostics: readonly Diagnostic[];
}

/** A model with findings, which may include fatal ones. */
export interface InspectedModel extends ReadModel {
  readonly collector: FaultCollector;
}

/** The files of a run, with the model's findings. */
export interface Generated extends ReadModel {
  readonly files: readonly OutputFile[];
  readonly migrations: MigrationPlan;
}

/** Generates the files of a model; throws a ModelError with all faults. */
export function generate(source: ModelSource, options: ReadOptions = {}): Generated {
  const model = readModel(source, options);
  const home = options.home ?? 'package';
  const artifacts = emitAll(model.graph, model.documents, home);
  const origin = options.origin ?? source.path;
  const neighbours = model.documents.included.map(({ name, bytes }) => [posix.join(posix.dirname(origin), name), bytes] as const);
  const overlay =
    options.overlay === undefined
      ? []
      : [[posix.join(posix.dirname(origin), posix.basename(options.overlay.path)), options.overlay.bytes] as const];
  const inputs = new Map([[origin, source.bytes], ...neighbours, ...overlay]);
  const migrations = withFound(model, () =>
    planMigrations(withHints(emitSchema(model.graph), model.graph), origin, options.migrations ?? noMigrations),
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
      { generator: generatorVersion, options: provenanceOptions(options.policy), inputs, operations: handlerLines(model.graph, home) },
    ),
  };
}

/** Generates the files of a client: types, and the table of the sets. */
export function generateClient(source: ModelSource, options: ReadOptions): Pick<Generated, 'files' | 'sources' | 'diagnostics'> {
  const model = readModel(source, options);
  const rendering = { source: source.path, home: 'project', onProgress: undefined } as const;
  const files = renderAll(emitClientFiles(model.graph), rendering);
  const inputs = new Map([[source.path, source.bytes]]);
  return {
    ...model,
    files: withLock(files, { generator: generatorVersion, options: provenanceOptions(options.policy), inputs }),
  };
}

// A warning, such as that of an omitted default value, may explain a missing decision.
function withFound(model: ReadModel, plan: () => MigrationPlan): MigrationPlan {
  try {
    return plan();
  } catch (error) {
    throw error instanceof UndecidedError ? new UndecidedError(error.problems, model) : error;
  }
}

// The options that affect the output; empty for the defaults.
function provenanceOptions({ mode, choices }: Policy = strictPolicy): { readonly [name: string]: string } {
  return { ...(mode === 'lenient' && { mode }), ...choices };
}

/** Reads, resolves and checks a model. */
export function readModel(source: ModelSource, options: ReadOptions = {}): ReadModel {
  const { collector, ...model } = inspectModel(source, options);
  collector.stopOnErrors();
  return model;
}

/** The findings of a model, valid or not; throws only where it cannot be parsed. */
export function inspectModel(
  source: ModelSource,
  { readNeighbour = () => undefined, policy = strictPolicy, overlay, former }: ReadOptions = {},
): InspectedModel {
  const sources = new Sources();
  const collector = new FaultCollector(sources, policy, overlay?.path);
  const { report } = collector;
  const written = readDocuments(source, readNeighbour, sources, report);
  const included = written.included.flatMap(({ csdl }) => csdl.schemas);
  const overlaid =
    overlay === undefined
      ? written.main
      : applyOverlay(written.main, parseJsonTree(readText(overlay, sources), { comments: true }), report);
  if (!checkSize({ ...overlaid, schemas: [...overlaid.schemas, ...included] }, report))
    throw new ModelError(sources, collector.diagnostics);
  const repaired = repairDocument(overlaid, included, report);
  const joined = policy.mode === 'lenient' ? inferJoins(fillScale(repaired, report), included, report) : repaired;
  const documents = { ...written, main: indexJoins(joined) };
  const graph = buildGraph(
    relateKeys(shareProperties(turnConstraints(omitRedefined(omitAbstract(linkDocuments(documents, report), report), report)), report)),
    report,
    former,
  );
  checkGraph(graph, report);
  return { graph, documents, written: written.main, sources, diagnostics: collector.diagnostics, collector };
}
