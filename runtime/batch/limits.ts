/** Parts of a batch, its size in bytes, and how many of its requests run at once. */
export const batchLimits = { parts: 100, bytes: 4 * 1024 * 1024, parallel: 4 } as const;
