import { container, defineModels } from '../generated/index.js';
import { extensions } from './extensions/index.js';
import { generatedFolder } from './files.js';
import type { ServedModel } from './served-model.js';

/** The package's own model: the listing service. */
export const listing: ServedModel = { container, defineModels, extensions, generated: generatedFolder };
