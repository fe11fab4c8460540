import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, posix, resolve } from 'node:path';
import { UsageError } from '../config/config.js';
import type { OnProgress } from '../../runtime/tools/cli/progress.js';
import type { Policy } from '../policy.js';
import { openModel, missingFile } from '../cli/open-model.js';
import { diagnose, type Diagnosis } from '../doctor/diagnose.js';
import { printSkeleton } from '../doctor/print-skeleton.js';
import { generate, inspectModel, type Generated } from '../generate.js';
import { carryOut, recover, stagePath } from '../output/stage.js';
import { projectSkeleton } from './skeleton.js';

/** The parameters of a new project. */
interface ProjectRequest {
  readonly folder: string;
  readonly model: string;
  readonly overlay: string | undefined;
  readonly policy: Policy;
  /** The version or path of this package in the manifest. */
  readonly dependency: string;
  readonly onProgress?: OnProgress | undefined;
}

/** The generated files, and the findings that only the overlay can decide. */
interface CreatedProject extends Generated {
  readonly diagnosis: Diagnosis;
}

/** Creates a project: the model and its documents, the generated code, and the files that the user edits. */
export function makeProject({ folder, model, overlay, policy, dependency, onProgress }: ProjectRequest): CreatedProject {
  if (!existsSync(model)) throw new UsageError(missingFile(model));
  recover(folder);
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== stagePath))
    throw new UsageError(`${folder} is not empty; name an empty or a new folder.`);
  const { source, options } = openModel({ model, policy, overlay });
  const place = `model/${extname(model) === '.json' ? 'metadata.json' : 'metadata.xml'}`;
  const { refused } = diagnose(inspectModel(source, options));
  // Lenient, as for the doctor: in strict mode, too, the overlay suggests what names imply.
  const diagnosis = diagnose(inspectModel(source, { ...options, policy: { ...policy, mode: 'lenient' } }));
  const overlayText = options.overlay?.bytes ?? Buffer.from(printSkeleton(place, diagnosis, policy.mode));
  // Fatal faults are reported for the model itself; the overlay could only add to them.
  const overlays = refused.length > 0 ? {} : { overlay: { path: overlayPlace, bytes: overlayText } };
  const generated = generate(source, { ...options, ...overlays, origin: place, home: 'project', onProgress });
  const documents = generated.documents.included.map(({ name, bytes }) => ({ path: `model/${name}`, text: bytes }));
  const skeleton = projectSkeleton({ name: nameOf(folder), model: place, mode: policy.mode, dependency, graph: generated.graph });
  const written = [
    { path: place, text: source.bytes },
    ...documents,
    { path: overlayPlace, text: overlayText },
    ...skeleton,
    ...generated.files.map(({ path, text }) => ({ path: posix.join('generated', path), text })),
  ];
  // Atomically: half a project would block the next attempt.
  carryOut(folder, { written, removed: [] });
  return { ...generated, diagnosis };
}

const overlayPlace = 'model/overlay.jsonc';

/** A package name that npm allows for an unpublished project. */
function nameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  // A project with the package's own name could not depend on it.
  return name === '' || name === 'gable' ? 'gable-service' : name;
}
