import { pairsByValue, type End } from './join-by-constraint.js';
import type { BuiltType, BuiltTypes, Context } from '../built-model.js';
import type { PathColumn, ValueJoins } from '../storage.js';

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
