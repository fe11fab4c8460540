import { errors } from '../../errors/catalogue.js';
import { accessTo, rootOf, type Caller } from '../caller.js';
import { requireWritable } from './plan-write.js';
import type { StreamTarget } from '../path-target.js';

/** Refuses to change a stream that none of the caller's scopes lets change. */
export function requireWritableStream({ type, name }: StreamTarget, caller: Caller): void {
  requireWritable(type, 'update', caller);
  const access = accessTo(type, 'update', caller);
  if (access.allowed && access.restricted.has(rootOf(name))) throw errors.notPermitted(name).at(name);
}
