import type { Extensions } from '../../edm/extension.js';
import { propertyExtension } from './property.js';

/** Extensions by entity type. */
export const extensions: Extensions = { Property: propertyExtension };
