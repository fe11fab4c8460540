import type { BuiltType, BuiltTypes } from './build-type.js';
import type { Context } from './context.js';
import { pairsByValue, type End } from './join-by-constraint.js';
import type { PathColumn } from './path-column.js';

/** The columns of a type for joins by non-key values, which no foreign key covers. */
export interface ValueJoins {
  /** Columns of nested properties that constraints of other types reference. */
  readonly paths: readonly PathColumn[];
  /** The columns of each join, which are indexed. */
  readonly columns: readonly (readonly string[])[];
}

/** The value joins of types, by qualified name. */
export function valueJoins(types: BuiltTypes, context: Context): ReadonlyMap<string, ValueJoins> {
  const found = new Map<string, ValueJoins>();
  const add = ({ qualifiedName }: BuiltType, ends: readonly End[], paths: readonly PathColumn[]): void => {
    const known = found.get(qualifiedName);
    found.set(qualifiedName, {
      paths: [...(known?.paths ?? []), ...paths],
      columns: [...(known?.columns ?? []), ends.map(({ column }) => column)],
    });
  };
  for (const type of types.values()) {
    for (const property of type.ownNavigation) {
      const target = types.get(context.scope.qualify(property.type));
      const pairs = target && pairsByValue(property, type, target, context);
      if (target === undefined || pairs === undefined) continue;
      add(
        type,
        pairs.map(([own]) => own),
        [],
      );
      // Only the key is required.
      add(
        target,
        pairs.map(([, other]) => other),
        pairs.flatMap(([, { path }]) => (path ? [{ ...path, field: { ...path.field, nullable: true as const } }] : [])),
      );
    }
  }
  return found;
}
