import type { EntityContainer } from '../edm/index.js';
import { nestedStreamOf } from './path/nested-path.js';
import type { RecordTarget, StreamTarget } from './path-target.js';
import { hasValueAt } from './value-at.js';
import { both } from './expr-facts.js';

/** A stream of a complex value, and the number of path segments. */
interface NestedStreamTarget {
  readonly target: StreamTarget;
  readonly length: number;
}

/** The stream of an entity's complex value; without the value there is none. */
export function nestedStreamTarget(
  target: RecordTarget,
  names: readonly string[],
  container: EntityContainer,
): NestedStreamTarget | undefined {
  const nested = nestedStreamOf(target.type, names, container);
  if (nested === undefined) return undefined;
  const { path: name, stream, length } = nested;
  const filter = both(target.filter, hasValueAt(target, names.slice(0, length - 1), container));
  return { target: { ...target, kind: 'stream', name, stream, ...(filter && { filter }) }, length };
}
