import type { Statement } from './statement.js';

/** Marks a place in a transaction, goes back to it, and forgets it. */
export const savepoint: { readonly [Step in 'set' | 'back' | 'release']: Statement } = {
  set: { text: 'savepoint inner_change', bind: [] },
  back: { text: 'rollback to savepoint inner_change', bind: [] },
  release: { text: 'release savepoint inner_change', bind: [] },
};
