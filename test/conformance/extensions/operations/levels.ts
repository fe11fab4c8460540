import type { LevelsHandler } from '../../generated/operation-types.js';

export const levels: LevelsHandler = () => ['Low', 'High'];
