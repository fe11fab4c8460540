/** How much one request may ask for in its URL. */
export const uriLimits = {
  options: 64,
  orderby: 8,
  select: 1000,
  expandItems: 20,
  expandDepth: 3,
} as const;
