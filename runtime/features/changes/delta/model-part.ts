import { type ComplexType, complexTypeNamed, type EntityContainer, type EntityType, type StructuredType } from '../../../edm/index.js';
import { memoized } from '../../../edm/memoized.js';
import type { Service } from '../../../http/service.js';
import { shortHash } from '../../../paging/skiptoken.js';
import type { Selection } from '../../../plan/read-plan.js';
import { changesTable } from '../../../schema/changes-table.js';

/**
 * A hash of the part of the model that a tracked query reads: the types of its records and of expanded ones, and the
 * migrations that name their tables. While it is the same, each change of a value that the query returns is in the log:
 * migrations change rows without logging them, even where the model is later as it was.
 */
export function modelPart({ type, expands }: Selection, { container, migrations = none }: Service): string {
  const part = partOf(migrations)(container);
  const expanded = expands.map(({ name, selection }) => [name, type.navigation[name], part(selection.type)]);
  return shortHash(JSON.stringify([part(type), ...expanded]));
}

const none: readonly string[] = [];

const partOf = memoized((migrations: readonly string[]) =>
  memoized((container: EntityContainer) =>
    memoized((type: EntityType) => {
      const family = Object.values(container.entityTypes).filter(({ table }) => table === type.table);
      const applied = migrations.filter((text) => changesTable(text, type.table));
      return shortHash(JSON.stringify([[type, ...family].map(factsOf), complexTypesIn(family, container), applied]));
    }),
  ),
);

// Without the rules of writes, and without navigation properties, which a new type may add and no record shows.
function factsOf(type: EntityType): object {
  const { qualifiedName, baseTypes, derivedTypes, abstract, open, entitySet, table, key, keyFields, fields, hidden, streams } = type;
  const { tracking, etag, permissions } = type;
  const { read, readByKey } = permissions;
  const names = { qualifiedName, baseTypes, derivedTypes, abstract, open, entitySet, table };
  return { ...names, key, keyFields, fields, hidden, streams, tracking, isVersioned: etag !== undefined, read, readByKey };
}

// With those that derive from them, and those within them.
function complexTypesIn(types: readonly StructuredType[], container: EntityContainer): readonly ComplexType[] {
  const found = new Set<ComplexType>();
  const add = ({ fields }: Pick<StructuredType, 'fields'>): void => {
    for (const { complex } of Object.values(fields))
      for (const name of complex === undefined ? [] : [complex, ...(complexTypeNamed(container, complex)?.derived ?? [])]) {
        const type = complexTypeNamed(container, name);
        if (type === undefined || found.has(type)) continue;
        found.add(type);
        add(type);
      }
  };
  types.forEach(add);
  return [...found];
}
