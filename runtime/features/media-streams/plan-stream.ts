import { errors } from '../../errors/catalogue.js';
import type { QueryOptions } from '../../uri/query-options.js';
import { type Caller, isHidden, requireReadable } from '../../plan/caller.js';
import { missingRecord } from '../../plan/path/mistaken-segments.js';
import { type EntityContainer, streamOf, isDirect } from '../../edm/index.js';
import { hasValueAt } from '../../plan/check/property-expr.js';
import { both } from '../../plan/expr-facts.js';
import type { RecordTarget, StreamTarget, Target } from '../../plan/path/path-target.js';
import { ended } from '../../plan/read/path-segments.js';
import { nestedStreamOf } from '../../plan/path/nested-path.js';
import type { PathPart } from '../../uri/resource-path.js';

/** The target of a path that goes on with a stream of an entity, or of its complex value; without the value there is none. */
export function streamAt(target: RecordTarget, rest: readonly PathPart[], container: EntityContainer): Target | undefined {
  const names = rest.map(({ name }) => name);
  const [name = ''] = names;
  const direct = streamOf(target.type, name);
  if (direct) return streamTarget({ ...target, kind: 'stream', name, stream: direct }, rest.slice(1));
  const nested = nestedStreamOf(target.type, names, container);
  if (nested === undefined) return undefined;
  const { path, member: stream, length } = nested;
  const filter = both(target.filter, hasValueAt(target, names.slice(0, length - 1), container));
  return streamTarget({ ...target, kind: 'stream', name: path, stream, ...(filter && { filter }) }, rest.slice(length));
}

function streamTarget(target: StreamTarget, rest: readonly PathPart[]): Target {
  return ended(target, rest, ' The bytes of a media stream are at its own address.');
}

/** Refuses to read a stream that none of the caller's scopes shows. */
export function requireReadableStream({ type, name }: StreamTarget, options: QueryOptions, caller: Caller): void {
  const { format: _, aliases: __, schemaversion: ___, ...others } = options;
  const [option] = Object.keys(others);
  if (option !== undefined) throw errors.badOption(`$${option} cannot be used with a media stream.`).at(`$${option}`);
  requireReadable(type, caller);
  if (isHidden(type, name, caller)) throw errors.notPermitted(name).at(name);
}

/** Why there is no such stream: no record, or no complex value that would have it. */
export function noSuchStream({ type, name }: Pick<StreamTarget, 'type' | 'name'>): Error {
  if (isDirect(name)) return missingRecord(type);
  const value = name.slice(0, name.lastIndexOf('/'));
  return errors.notFound(`${type.name} with that key and a value of ${value}`, ` The stream belongs to that value: PATCH ${value} first.`);
}
