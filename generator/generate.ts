import { basename, dirname } from 'node:path/posix';
import { parseCsdl, type ModelSource } from './csdl/parse-csdl.js';
import { emitAll } from './emit/artifacts.js';
import type { ReadBeside } from './emit/emit-metadata.js';
import { renderAll } from './emit/render-file.js';
import { buildGraph } from './graph/build-graph.js';
import { checkGraph } from './graph/check-graph.js';
import type { ModelGraph } from './graph/model-graph.js';
import { ModelError, sortFaults, type Fault } from './model-error.js';
import type { OutputFile } from './output/header.js';
import { withLock } from './output/lock.js';
import { generatorVersion } from './version.js';

/** A whole run from the bytes of a model to the files to write; throws a ModelError with every fault. */
export function generate(source: ModelSource, readBeside: ReadBeside = () => undefined): readonly OutputFile[] {
  const inputs = new Map([[source.path, source.bytes]]);
  const graph = readModel(source);
  const artifacts = emitAll(graph, (uri) => {
    const bytes = readBeside(uri);
    if (bytes !== undefined) inputs.set(besideOf(source.path, uri), bytes);
    return bytes;
  });
  return withLock(renderAll(artifacts, source.path), { generator: generatorVersion, options: {}, inputs });
}

function besideOf(model: string, uri: string): string {
  return dirname(model) === '.' ? basename(uri) : `${dirname(model)}/${uri}`;
}

/** The model resolved and checked. */
export function readModel(source: ModelSource): ModelGraph {
  const csdl = parseCsdl(source);
  const found: Fault[] = [...csdl.faults];
  const report = (fault: Fault): void => void found.push(fault);
  const graph = buildGraph(csdl, report);
  checkGraph(graph, report);
  if (found.length > 0) throw new ModelError(csdl.path, csdl.text, sortFaults(found));
  return graph;
}
