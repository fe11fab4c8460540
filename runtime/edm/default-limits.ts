import type { Limits } from './entity-type.js';

/** The limits that apply unless the model says otherwise. */
export const defaultLimits: Limits = {
  maxTop: 10_000,
  maxTopWithExpand: 100,
  maxSkip: 100_000,
  defaultPageSize: 100,
  maxPageSize: 1_000,
  maxPageSizeWithExpand: 100,
  maxExpandDepth: 3,
};
