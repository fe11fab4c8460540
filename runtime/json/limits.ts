/** How large a body may be in its parts; its bytes are limited where they are read. */
export const jsonLimits = {
  depth: 32,
  members: 2000,
  items: 1000,
} as const;
