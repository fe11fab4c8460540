import type { WordsHandler } from '../../generated/operation-types.js';

export const words: WordsHandler = () => ['delta', 'alpha', 'charlie', 'bravo'];
