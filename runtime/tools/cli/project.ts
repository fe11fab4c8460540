import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OperationHandlers, own } from '../../edm/index.js';
import { suggestion } from '../../errors/suggest.js';
import { ConfigError } from '../../config/config.js';
import { builtFolder, generatedFolder, packageRoot, type ServedModel } from '../../config/served-model.js';
import { listing } from '../../extensions/listing/listing.js';

/** The model of the project in the current folder; elsewhere the package's own. */
export async function modelHere(): Promise<ServedModel> {
  return isProject(process.cwd()) ? loadProject(process.cwd()) : requireBuilt(listing, join(builtFolder, 'generated'));
}

// Compiled code of an earlier model must not be served with the $metadata of the new one. The compiler copies the lock,
// which has the hashes of the sources; the published package has neither.
function requireBuilt(model: ServedModel, folder: string): ServedModel {
  const compiled = codeHashes(folder);
  if (compiled === undefined || compiled === codeHashes(model.generated)) return model;
  throw new ConfigError(`${model.generated} was generated after the project was compiled; run npm run build first.`);
}

function codeHashes(folder: string): string | undefined {
  const lock = join(folder, lockPath);
  return existsSync(lock) ? (readFileSync(lock, 'utf8').match(/".*\.ts": "\w+"/g) ?? []).join() : undefined;
}

/** The folder of that model's generated documents and migrations, which need no compilation. */
export async function generatedHere(): Promise<string> {
  return isProject(process.cwd()) ? join(process.cwd(), await outputOf(process.cwd())) : generatedFolder;
}

/**
 * Rejects a folder that is neither a project nor the package's own, for commands that change or serve a database: the
 * listing model does not belong in somebody's database.
 */
export function requireProject(command: string): void {
  const folder = process.cwd();
  if (isPackage(folder) || isProject(folder)) return;
  const above = projectAbove(folder);
  throw new ConfigError(
    `${folder} is not a project: it has neither gable.config.* nor generated/.lock.json, so ${command} has no model. ${
      above === undefined ? 'Run it in the folder of a project; gable init creates one.' : `Run it in ${above}.`
    }`,
  );
}

function projectAbove(folder: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  return isPackage(above) || isProject(above) ? above : projectAbove(above);
}

const configurations = ['gable.config.ts', 'gable.config.mjs', 'gable.config.js', 'gable.config.json'];
const lockPath = '.lock.json';
const marks = [`generated/${lockPath}`, ...configurations];

// The output folder. The configuration is loaded only if it exists, because its reader loads a compiler.
async function outputOf(folder: string): Promise<string> {
  const name = configurations.find((each) => existsSync(join(folder, each)));
  if (name === undefined || !readFileSync(join(folder, name), 'utf8').includes('output')) return 'generated';
  const { loadConfig } = await import('../../../generator/config/load-config.js');
  return (await loadConfig(folder)).output ?? 'generated';
}

function isPackage(folder: string): boolean {
  return relative(packageRoot, folder) === '';
}

// The package's repository looks like a project, but serves its own model; a project may have any name.
function isProject(folder: string): boolean {
  return !isPackage(folder) && marks.some((mark) => existsSync(join(folder, mark)));
}

/** The compiled model of a project, with its extensions. */
export async function loadProject(folder: string): Promise<ServedModel> {
  const output = await outputOf(folder);
  if (!existsSync(join(folder, output, 'index.ts')))
    throw new ConfigError(`There is no ${output}/index.ts in ${folder}; run gable generate first.`);
  const compiled = join(folder, 'dist', output, 'index.js');
  if (!existsSync(compiled))
    throw new ConfigError(
      `The project in ${folder} is not compiled: dist/${output}/index.js is missing. Run npm run build first, with ${output} in the include of tsconfig.json.`,
    );
  // The export is generated, and checked by the project's compiler.
  const { container } = (await import(pathToFileURL(compiled).href)) as Pick<ServedModel, 'container'>;
  const model = {
    container,
    extensions: await loadExtensions(folder, container),
    ...(await loadHandlers(folder, output)),
    generated: join(folder, output),
    built: join(folder, 'dist'),
  };
  return requireBuilt(model, dirname(compiled));
}

// The registry exists where the model has operations. It is wrapped in an object, since awaiting it would call a handler named `then`.
async function loadHandlers(folder: string, output: string): Promise<{ readonly operations: OperationHandlers }> {
  const compiled = join(folder, 'dist', output, 'handlers.js');
  if (!existsSync(compiled)) return { operations: {} };
  const { handlers } = (await import(pathToFileURL(compiled).href)) as { readonly handlers: OperationHandlers };
  return { operations: handlers };
}

async function loadExtensions(folder: string, { entityTypes }: ServedModel['container']): Promise<ServedModel['extensions']> {
  const compiled = join(folder, 'dist', 'extensions', 'index.js');
  if (!existsSync(compiled)) return {};
  const { extensions = {} } = (await import(pathToFileURL(compiled).href)) as Partial<Pick<ServedModel, 'extensions'>>;
  const unknown = Object.keys(extensions).find((name) => own(entityTypes, name) === undefined);
  if (unknown === undefined) return extensions;
  throw new ConfigError(`extensions/index.ts: the model has no entity type ${unknown}.${suggestion(unknown, Object.keys(entityTypes))}`);
}
