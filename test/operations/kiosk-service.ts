import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject } from '../../generator/project/make-project.js';
import { compileProject } from '../../generator/project/compile-project.js';
import { strictPolicy } from '../../generator/policy.js';
import { loadProject } from '../../runtime/tools/cli/project.js';
import { startModel, temporaryFolder, type ToyService } from '../toy/toy-service.js';

/** A project of the kiosk's model, with the handlers of this folder in the place of stubs; two are left as they were made. */
export function makeKiosk(folder: string): void {
  makeWithHandlers(folder, { model: 'test/operations/kiosk.xml', extensions: 'test/operations/extensions' });
}

/** A model with operations, and the folder of their handlers. */
interface Operated {
  readonly model: string;
  readonly extensions: string;
}

/** A project of a model, with the extension folder of a test. */
export function makeWithHandlers(folder: string, { model, extensions }: Operated): void {
  makeProject({ folder, model, overlay: undefined, policy: strictPolicy, dependency: '0.1.0' });
  cpSync(extensions, join(folder, 'extensions'), { recursive: true });
}

/** The service of a model with operations, whose handlers are found in a folder. */
export async function startOperated(operated: Operated): Promise<ToyService> {
  const folder = join(temporaryFolder(), 'operated');
  makeWithHandlers(folder, operated);
  compileProject(folder);
  return startModel(await loadProject(folder), join(folder, '..'));
}

/** The kiosk's service, with its handlers. */
export async function startKiosk(settings?: Parameters<typeof startModel>[3]): Promise<ToyService> {
  const folder = join(temporaryFolder(), 'kiosk');
  makeKiosk(folder);
  compileProject(folder);
  return startModel(await loadProject(folder), join(folder, '..'), undefined, settings);
}
