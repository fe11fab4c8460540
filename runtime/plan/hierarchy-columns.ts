import { columnOf, fieldOf, type EntityContainer, type EntityType } from '../edm/index.js';
import { derivedTypesOf, typesWithin } from './path/derivation.js';
import { wholeShape } from './complex-shape.js';
import type { SelectedColumn } from './read-plan.js';

const columns = new WeakMap<EntityType, readonly SelectedColumn[]>();

/**
 * The structural properties of a type and its derived types, as columns; cached, so that data derived from a column is
 * found again.
 */
export function hierarchyColumns(type: EntityType, container: EntityContainer): readonly SelectedColumn[] {
  const known = columns.get(type) ?? buildColumns(type, container);
  columns.set(type, known);
  return known;
}

/** The types that entities may have, if others than this one. */
export function variantsOf(type: EntityType, container: EntityContainer): readonly EntityType[] | undefined {
  if (!type.discriminated) return undefined;
  const types = typesWithin(type, container);
  return types.length === 1 && types[0] === type ? undefined : types;
}

function buildColumns(type: EntityType, container: EntityContainer): readonly SelectedColumn[] {
  const found = Object.keys(type.fields).flatMap((name) => selectedColumn(type, name, container) ?? []);
  for (const owner of derivedTypesOf(type, container)) found.push(...addedColumns(owner, found, container));
  return found;
}

// The properties that a derived type adds; properties of one name in other types are different.
function addedColumns(owner: EntityType, before: readonly SelectedColumn[], container: EntityContainer): readonly SelectedColumn[] {
  const { qualifiedName, derivedTypes = [] } = owner;
  const inherited = new Set(before.filter(({ of }) => of === undefined || of.has(qualifiedName)).map(({ name }) => name));
  const of = new Set([qualifiedName, ...derivedTypes]);
  return Object.keys(owner.fields)
    .filter((name) => !inherited.has(name))
    .flatMap((name): readonly SelectedColumn[] => {
      const column = selectedColumn(owner, name, container);
      return column ? [{ ...column, owner: qualifiedName, of }] : [];
    });
}

/** A structural property as a column, completely. */
function selectedColumn(type: EntityType, name: string, container: EntityContainer): SelectedColumn | undefined {
  const field = fieldOf(type, name);
  return (
    field && { name, column: columnOf(type, name), field, ...(field.complex !== undefined && { shape: wholeShape(container, field) }) }
  );
}
