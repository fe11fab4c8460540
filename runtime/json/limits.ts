/** Limits of the parts of a body; its size in bytes is limited where it is read. */
export const jsonLimits = {
  depth: 32,
  members: 2000,
  items: 1000,
} as const;
