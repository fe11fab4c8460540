import { errors } from '../../errors/catalogue.js';
import { accessTo, isSeen, rootOf, type Caller } from '../caller.js';
import type { StreamTarget } from '../plan-stream.js';
import { requireWritable } from './plan-write.js';

/** Refuses to change a stream that none of the caller's scopes lets change. */
export function requireWritableStream({ type, name, item }: StreamTarget, caller: Caller): void {
  requireWritable(type, 'update', caller);
  const access = accessTo(type, 'update', caller);
  // Who does not see the items is not told at which places there are some.
  const isUnseen = item !== undefined && !isSeen(type, name, caller);
  if (isUnseen || (access.allowed && access.restricted.has(rootOf(name)))) throw errors.notPermitted(name).at(name);
}
