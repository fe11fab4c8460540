import type { Statement } from '../sql/statement.js';

/** The statements of a savepoint: set, roll back, release. */
export type Savepoint = { readonly [Step in 'set' | 'back' | 'release']: Statement };

// PostgreSQL uses the last savepoint with a name, so nested parts need different names.
function savepoint(name: string): Savepoint {
  return {
    set: { text: `savepoint ${name}`, bind: [] },
    back: { text: `rollback to savepoint ${name}`, bind: [] },
    release: { text: `release savepoint ${name}`, bind: [] },
  };
}

/** The savepoint before a handler's change. */
export const beforeChange: Savepoint = savepoint('inner_change');

/** The savepoint before one of several changes of a request, which may be a handler's. */
export const beforeAttempt: Savepoint = savepoint('attempt');
