import type { Statement } from './statement.js';

/** A place in a transaction: marks it, goes back to it, and forgets it. */
export type Savepoint = { readonly [Step in 'set' | 'back' | 'release']: Statement };

// By the name PostgreSQL finds the last one that was set, so that one part within another needs a name of its own.
function savepoint(name: string): Savepoint {
  return {
    set: { text: `savepoint ${name}`, bind: [] },
    back: { text: `rollback to savepoint ${name}`, bind: [] },
    release: { text: `release savepoint ${name}`, bind: [] },
  };
}

/** In front of a change that a handler makes. */
export const beforeChange: Savepoint = savepoint('inner_change');

/** In front of one of several changes of a request, which may be a handler's. */
export const beforeAttempt: Savepoint = savepoint('attempt');
