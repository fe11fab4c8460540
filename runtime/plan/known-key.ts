import { keyColumnOf, type EntityType, type Navigation } from '../edm/index.js';
import { withParameter, parameterOf } from '../expression/plan-parameter.js';
import type { KnownKey } from './plan-key.js';
import type { KeyCondition } from './read-plan.js';

/** The key properties of a navigation target that the source entity determines (URL conventions 4.3.3). */
export function knownKey(
  { join, mirroredBy }: Navigation,
  from: { readonly key: readonly KeyCondition[] },
  { key, fields, keyFields }: EntityType,
): KnownKey {
  const tied = new Map(Object.entries({ ...join, ...mirroredBy }).map(([own, other]) => [other, own]));
  return new Map(
    key.flatMap((name): readonly [string, KeyCondition | undefined][] => {
      const column = keyColumnOf({ fields, ...(keyFields && { keyFields }) }, name);
      const own = tied.get(column);
      return own === undefined
        ? []
        : [
            [
              name,
              sameValue(
                from.key.find((condition) => condition.column === own),
                column,
              ),
            ],
          ];
    }),
  );
}

// A parameter stays one, so that the plan serves other keys.
function sameValue(condition: KeyCondition | undefined, column: string): KeyCondition | undefined {
  if (condition === undefined) return undefined;
  const from = parameterOf(condition);
  if (from === undefined) return { ...condition, column };
  return withParameter({ column, sqlType: condition.sqlType, value: '' }, 'value', from);
}
