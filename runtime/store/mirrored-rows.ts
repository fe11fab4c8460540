import { own, propertyOf, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import type { MirroredRows } from '../sql/compile-single-write.js';

/** The mirrored columns of dependent rows that have to follow changed values. */
export function mirroredRows(type: EntityType, values: StoredRecord, { entityTypes }: EntityContainer): readonly MirroredRows[] {
  return (type.mirroredIn ?? []).flatMap(({ type: name, link, mirrors }) => {
    const target = own(entityTypes, name) as EntityType; // Of the same model.
    const followed = Object.entries(mirrors).flatMap(([mirror, column]): readonly (readonly [string, string | null])[] => {
      const property = propertyOf(type, column);
      return values.has(property) ? [[mirror, textOf(values.get(property))]] : [];
    });
    return followed.length > 0 ? [{ target, link, values: new Map(followed) }] : [];
  });
}

function textOf(value: ReturnType<StoredRecord['get']>): string | null {
  return value === undefined || value === null ? null : String(value);
}
