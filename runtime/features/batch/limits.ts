/** The most parts of a batch, its size in bytes, and its concurrent requests. */
export const batchLimits = { parts: 100, bytes: 4 * 1024 * 1024, parallel: 4 } as const;
