import { columnOf, fieldOf, isDirect } from '../edm/index.js';
import { type EntityContainer } from '../edm/entity-container.js';
import { type EntityType } from '../edm/entity-type.js';
import { wholeShape } from './complex-selection.js';
import { derivedTypesOf, typesWithin } from './path/derivation.js';
import type { SelectedColumn, SelectedLink, SelectedStream } from './read-plan.js';

const none: readonly SelectedStream[] = [];
const streams = new WeakMap<EntityType, readonly SelectedStream[]>();

/** The media streams of a type and its derived types. */
export function hierarchyStreams(type: EntityType, container: EntityContainer): readonly SelectedStream[] {
  const known = streams.get(type) ?? buildStreams(type, container);
  streams.set(type, known);
  return known;
}

function buildStreams(type: EntityType, container: EntityContainer): readonly SelectedStream[] {
  const found: SelectedStream[] = Object.entries(type.streams ?? {}).map(([name, stream]) => ({ name, stream }));
  for (const owner of derivedTypesOf(type, container)) {
    const inherited = new Set(found.filter(({ of }) => of === undefined || of.has(owner.qualifiedName)).map(({ name }) => name));
    const of = new Set([owner.qualifiedName, ...(owner.derivedTypes ?? [])]);
    for (const [name, stream] of Object.entries(owner.streams ?? {}))
      if (!inherited.has(name)) found.push({ name, stream, owner: owner.qualifiedName, of });
  }
  return found.length === 0 ? none : found;
}

const links = new WeakMap<EntityType, readonly SelectedLink[]>();

/** The navigation properties of a type and its derived types. */
export function hierarchyLinks(type: EntityType, container: EntityContainer): readonly SelectedLink[] {
  const known = links.get(type) ?? buildLinks(type, container);
  links.set(type, known);
  return known;
}

/** The names of a type's own navigation properties, without those of complex values. */
export function linkNamesOf({ navigation }: EntityType): readonly string[] {
  return Object.keys(navigation).filter(isDirect);
}

function buildLinks(type: EntityType, container: EntityContainer): readonly SelectedLink[] {
  const found: SelectedLink[] = linkNamesOf(type).map((name) => ({ name }));
  for (const owner of derivedTypesOf(type, container)) {
    const of = new Set([owner.qualifiedName, ...(owner.derivedTypes ?? [])]);
    const inherited = new Set(found.filter((link) => isOf(owner, link)).map(({ name }) => name));
    for (const name of linkNamesOf(owner)) if (!inherited.has(name)) found.push({ name, owner: owner.qualifiedName, of });
  }
  return found;
}

/** Whether a type has the navigation property. */
export function isOf({ qualifiedName }: EntityType, { of }: SelectedLink): boolean {
  return of === undefined || of.has(qualifiedName);
}

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
