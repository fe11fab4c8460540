/** Limits of what the URL of one request may ask for. */
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
  /** Characters of an entity-id in `$id` and in bodies. */
  entityId: 4096,
} as const;
