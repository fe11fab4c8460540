import { container, defineModels } from '../../../generated/index.js';
import { extensions } from './index.js';
import { generatedFolder, type ServedModel } from '../../config/served-model.js';

/** The package's own model: the listing service. */
export const listing: ServedModel = { container, defineModels, extensions, generated: generatedFolder };
