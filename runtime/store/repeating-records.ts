import { own, propertyOf, type EntityContainer, type EntityType, type Navigation, type StoredRecord } from '../edm/index.js';
import type { Copies } from '../sql/compile-at-once.js';

/** The mirrored columns of dependent rows that have to follow changed values. */
export function copiesOf(type: EntityType, values: StoredRecord, container: EntityContainer): readonly Copies[] {
  return repeatingOf(type, container).flatMap(({ target, link, copies }) => {
    const followed = copies.flatMap(([name, copy]): readonly (readonly [string, string | null])[] =>
      values.has(name) ? [[copy, textOf(values.get(name))]] : [],
    );
    return followed.length > 0 ? [{ target, link, values: new Map(followed) }] : [];
  });
}

/** Rows that reference a row by `#id`, and mirror properties of it. */
interface Repeating {
  readonly target: EntityType;
  readonly link: string;
  readonly copies: readonly (readonly [property: string, copy: string])[];
}

const known = new WeakMap<EntityContainer, Map<EntityType, readonly Repeating[]>>();

function repeatingOf(type: EntityType, container: EntityContainer): readonly Repeating[] {
  const types = known.get(container) ?? new Map<EntityType, readonly Repeating[]>();
  known.set(container, types);
  const found = types.get(type) ?? findRepeating(type, container);
  types.set(type, found);
  return found;
}

// A parent's rows reference contained ones; other dependents reference the entity, with or without a partner. Types
// that share a table inherit this.
function findRepeating(type: EntityType, container: EntityContainer): readonly Repeating[] {
  const contained = Object.values(type.navigation).flatMap(({ target, join, copies }) =>
    repeating(own(container.entityTypes, target), join['#id'], type, Object.entries(copies ?? {})),
  );
  const leading = Object.values(container.entityTypes).flatMap((dependent) =>
    Object.values(dependent.navigation).flatMap(({ target, join, repeats }: Navigation) => {
      const [link] = Object.keys(join);
      const leadsHere = repeats !== undefined && own(container.entityTypes, target)?.table === type.table;
      return leadsHere
        ? repeating(
            dependent,
            link,
            type,
            Object.entries(repeats).map(([copy, column]) => [column, copy] as const),
          )
        : [];
    }),
  );
  return [...new Map([...contained, ...leading].map((one) => [JSON.stringify([one.target.table, one.link]), one])).values()];
}

function repeating(
  target: EntityType | undefined,
  link: string | undefined,
  type: EntityType,
  columns: readonly (readonly [column: string, copy: string])[],
): readonly Repeating[] {
  return target === undefined || link === undefined || columns.length === 0
    ? []
    : [{ target, link, copies: columns.map(([column, copy]) => [propertyOf(type, column), copy]) }];
}

function textOf(value: ReturnType<StoredRecord['get']>): string | null {
  return value === undefined || value === null ? null : String(value);
}
