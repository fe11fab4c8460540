import { complexTypeOf, fieldOf, streamOf, type EntityContainer } from '../edm/index.js';
import { isPresent } from './value/check-literal.js';
import { storedExpr } from './check/check-path.js';
import { placeOf, propertyOf } from './check/check-property.js';
import { both } from './plan-filter.js';
import type { RecordTarget } from './plan-path.js';
import { streamTarget, type StreamTarget } from './plan-stream.js';
import type { PropertyExpr } from './typed-expr.js';

/** The stream of a complex value that a path leads to, and how many names that takes. */
interface NestedStreamTarget {
  readonly target: StreamTarget;
  readonly length: number;
}

/** The stream of a record's complex value; where there is no value there is no stream. */
export function nestedStreamTarget(target: RecordTarget, names: readonly string[], container: EntityContainer): NestedStreamTarget | undefined {
  const { type } = target;
  const index = names.findIndex((_, at) => at > 0 && streamOf(type, names.slice(0, at + 1).join('/')) !== undefined);
  const stream = index < 0 ? undefined : streamTarget(target, names.slice(0, index + 1).join('/'));
  if (stream === undefined) return undefined;
  const filter = both(target.filter, isPresent(valueAt(target, names.slice(0, index), container)));
  return { target: { ...stream, ...(filter && { filter }) }, length: index + 1 };
}

function valueAt(target: RecordTarget, [root = '', ...inner]: readonly string[], container: EntityContainer): PropertyExpr {
  const known = (field: ReturnType<typeof fieldOf>, name: string): NonNullable<typeof field> => {
    if (field === undefined) throw new Error(`${target.type.name} has a stream behind ${name}, which is no property of it.`);
    return field;
  };
  const start = known(fieldOf(target.type, root), root);
  return inner.reduce(({ field, value }, name) => {
    const next = known(fieldOf(complexTypeOf(container, field), name), name);
    return { field: next, value: propertyOf(placeOf(value), name, next) as PropertyExpr };
  }, { field: start, value: storedExpr(target, root, start) }).value;
}
