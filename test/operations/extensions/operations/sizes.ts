import type { SizesHandler } from '../../generated/operation-types.js';

export const sizes: SizesHandler = () => ['Small', 'Large'];
