import type { NothingHandler } from '../../generated/operation-types.js';

export const nothing: NothingHandler = () => null;
