import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, posix, resolve } from 'node:path';
import { UsageError } from '../config/config.js';
import type { OnProgress } from '../../runtime/cli/progress.js';
import type { Policy } from '../policy.js';
import { missingFile } from '../cli/missing-file.js';
import { openModel } from '../cli/open-model.js';
import { diagnose, type Diagnosis } from '../doctor/diagnose.js';
import { printSkeleton } from '../doctor/print-skeleton.js';
import { generate, inspectModel, type Generated } from '../generate.js';
import { carryOut, recover, stagePath } from '../output/stage.js';
import { projectSkeleton } from './skeleton.js';

/** A project to be made of a model. */
interface ProjectRequest {
  readonly folder: string;
  readonly model: string;
  readonly overlay: string | undefined;
  readonly policy: Policy;
  /** What the manifest says of this package. */
  readonly dependency: string;
  readonly onProgress?: OnProgress | undefined;
}

/** What was generated, and what nothing but the overlay can say. */
interface MadeProject extends Generated {
  readonly diagnosis: Diagnosis;
}

/** Makes a project: the model and what lies beside it, what is generated from it, and what is the user's to change. */
export function makeProject({ folder, model, overlay, policy, dependency, onProgress }: ProjectRequest): MadeProject {
  if (!existsSync(model)) throw new UsageError(missingFile(model));
  recover(folder);
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== stagePath))
    throw new UsageError(`${folder} is not empty; name a folder that is, or that is not there yet.`);
  const { source, options } = openModel({ model, policy, overlay });
  const place = `model/${extname(model) === '.json' ? 'metadata.json' : 'metadata.xml'}`;
  const { refused } = diagnose(inspectModel(source, options));
  // As the doctor reads it: what names suggest stands in the overlay in strict mode, too.
  const diagnosis = diagnose(inspectModel(source, { ...options, policy: { ...policy, mode: 'lenient' } }));
  const told = options.overlay?.bytes ?? Buffer.from(printSkeleton(place, diagnosis, policy.mode));
  // What is refused is told of the model as it is; the overlay could only add to it.
  const overlays = refused.length > 0 ? {} : { overlay: { path: overlayPlace, bytes: told } };
  const generated = generate(source, { ...options, ...overlays, origin: place, home: 'project', onProgress });
  const beside = generated.documents.beside.map(({ name, bytes }) => ({ path: `model/${name}`, text: bytes }));
  const skeleton = projectSkeleton({ name: nameOf(folder), model: place, mode: policy.mode, dependency, graph: generated.graph });
  const written = [
    { path: place, text: source.bytes },
    ...beside,
    { path: overlayPlace, text: told },
    ...skeleton,
    ...generated.files.map(({ path, text }) => ({ path: posix.join('generated', path), text })),
  ];
  // All of it or nothing: half a project would stand in the way of the next one.
  carryOut(folder, { written, removed: [] });
  return { ...generated, diagnosis };
}

const overlayPlace = 'model/overlay.jsonc';

/** What npm allows as a name of what is not published. */
function nameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  // A project of the package's own name could not depend on it.
  return name === '' || name === 'gable' ? 'gable-service' : name;
}
