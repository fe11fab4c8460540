import type { Site } from './site.js';

/** A field with the time of a record's latest change. */
interface Timestamp {
  readonly set: string;
  readonly path: string;
  readonly field: string;
  readonly key: readonly string[];
}

/** The fields that the service sets to the time of each change. */
export function timestampsOf({ sets }: Site): readonly Timestamp[] {
  return sets.flatMap(({ entity, view, path }) => {
    const { onInsert, onUpdate, computed } = entity.rules;
    const isNow = (name: string): boolean => onUpdate[name]?.kind === 'now' && onInsert[name]?.kind === 'now';
    const found =
      entity.fields.find(({ name }) => isNow(name)) ??
      entity.fields.find(
        ({ name, field }) => name === 'ModificationTimestamp' && field.type === 'Edm.DateTimeOffset' && computed.includes(name),
      );
    return found === undefined || entity.entitySet === undefined ? [] : [{ set: view.set, path, field: found.name, key: entity.key }];
  });
}
