/** The exit codes: 0 done, 1 internal error, 2 bad input or (diff) changes, 3 breaking changes, 4 stale. */
export const exitCodes = { ok: 0, internal: 1, badInput: 2, changes: 2, breaking: 3, stale: 4 } as const;
