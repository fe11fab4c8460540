import { container } from '../../../generated/index.js';
import { builtFolder, generatedFolder, type ServedModel } from '../../config/served-model.js';
import type { Extensions } from '../../edm/extension.js';
import { propertyExtension } from './property.js';

/** Extensions by entity type. */
export const extensions: Extensions = { Property: propertyExtension };

/** The package's own model: the listing service. */
export const listing: ServedModel = {
  container,
  extensions,
  generated: generatedFolder,
  built: builtFolder,
};
