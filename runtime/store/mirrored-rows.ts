import { own, propertyOf, type EntityContainer, type EntityType, type Navigation, type StoredRecord } from '../edm/index.js';
import type { MirroredRows } from '../sql/compile-single-write.js';

/** The mirrored columns of dependent rows that have to follow changed values. */
export function mirroredRows(type: EntityType, values: StoredRecord, container: EntityContainer): readonly MirroredRows[] {
  return mirroringOf(type, container).flatMap(({ target, link, columns }) => {
    const followed = columns.flatMap(([name, mirror]): readonly (readonly [string, string | null])[] =>
      values.has(name) ? [[mirror, textOf(values.get(name))]] : [],
    );
    return followed.length > 0 ? [{ target, link, values: new Map(followed) }] : [];
  });
}

/** Rows that reference a row by `#id`, and mirror properties of it. */
interface Mirroring {
  readonly target: EntityType;
  readonly link: string;
  readonly columns: readonly (readonly [property: string, mirror: string])[];
}

const known = new WeakMap<EntityContainer, Map<EntityType, readonly Mirroring[]>>();

function mirroringOf(type: EntityType, container: EntityContainer): readonly Mirroring[] {
  const types = known.get(container) ?? new Map<EntityType, readonly Mirroring[]>();
  known.set(container, types);
  const found = types.get(type) ?? findMirroring(type, container);
  types.set(type, found);
  return found;
}

// A parent's rows reference contained ones; other dependents reference the entity, with or without a partner. Types
// that share a table inherit this.
function findMirroring(type: EntityType, container: EntityContainer): readonly Mirroring[] {
  const contained = Object.values(type.navigation).flatMap(({ target, join, mirroredBy }) =>
    mirroring(own(container.entityTypes, target), join['#id'], type, Object.entries(mirroredBy ?? {})),
  );
  const dependents = Object.values(container.entityTypes).flatMap((dependent) =>
    Object.values(dependent.navigation).flatMap(({ target, join, mirrors }: Navigation) => {
      const [link] = Object.keys(join);
      const isTarget = mirrors !== undefined && own(container.entityTypes, target)?.table === type.table;
      return isTarget
        ? mirroring(
            dependent,
            link,
            type,
            Object.entries(mirrors).map(([mirror, column]) => [column, mirror] as const),
          )
        : [];
    }),
  );
  return [...new Map([...contained, ...dependents].map((one) => [JSON.stringify([one.target.table, one.link]), one])).values()];
}

function mirroring(
  target: EntityType | undefined,
  link: string | undefined,
  type: EntityType,
  columns: readonly (readonly [column: string, mirror: string])[],
): readonly Mirroring[] {
  return target === undefined || link === undefined || columns.length === 0
    ? []
    : [{ target, link, columns: columns.map(([column, mirror]) => [propertyOf(type, column), mirror]) }];
}

function textOf(value: ReturnType<StoredRecord['get']>): string | null {
  return value === undefined || value === null ? null : String(value);
}
