/** How much one request may ask for in its URL. */
export const uriLimits = {
  options: 64,
  orderby: 8,
  select: 1000,
  selectDepth: 16,
  compute: 100,
  expandItems: 20,
  expandDepth: 3,
  crossjoin: 16,
  segments: 50,
  keyValues: 50,
  /** Characters of the id of a record, in `$id` and in bodies. */
  entityId: 4096,
} as const;
