import { complexTypeNamed } from '../../../runtime/edm/index.js';
import { type ComplexType, type EntityType } from '../../../runtime/edm/entity-type.js';
import { type EntityContainer } from '../../../runtime/edm/entity-container.js';
import { type Field } from '../../../runtime/edm/field.js';
import { isObject, type Json, type JsonObject } from '../../../runtime/json/json.js';

/** Where a value lies: a property of the records, or of a complex value within them. */
export interface Place {
  /** As addresses name it. */
  readonly path: string;
  /** As an expression names it: a name that is a literal or `not` needs a path. */
  readonly name: string;
  readonly field: Field;
  readonly of: (row: JsonObject) => Json | undefined;
}

/** The properties of a type, including those within single complex values; of derived types after a cast. */
export function placesOf(type: EntityType, container: EntityContainer): readonly Place[] {
  const derived = (type.derivedTypes ?? []).flatMap((name) =>
    Object.values(container.entityTypes).filter((other) => other.qualifiedName === name && other.table === type.table),
  );
  const own = Object.entries(type.fields).map(([name, field]) => ({ path: name, field, of: (row: JsonObject) => row.members.get(name) }));
  const cast = derived.flatMap((other) =>
    Object.entries(other.fields).flatMap(([name, field]) => {
      if (Object.hasOwn(type.fields, name)) return [];
      const isOfType = (row: JsonObject): boolean =>
        [other.qualifiedName, ...(other.derivedTypes ?? [])].includes(typeOf(row) ?? type.qualifiedName);
      return [{ path: `${other.qualifiedName}/${name}`, field, of: (row: JsonObject) => (isOfType(row) ? row.members.get(name) : null) }];
    }),
  );
  return [...own, ...cast]
    .flatMap((place) => [place, ...within(place, container, 2)])
    .map((place) => ({ ...place, name: nameOf(place.path) }));
}

/** A path as an expression has it. */
export function nameOf(path: string): string {
  return /^(null|true|false|NaN|INF|not)(?=\/|$)/.test(path) ? `$it/${path}` : path;
}

function within(place: Omit<Place, 'name'>, container: EntityContainer, depth: number): readonly Omit<Place, 'name'>[] {
  const { field, path, of } = place;
  const declared = field.complex === undefined || field.collection || depth === 0 ? undefined : complexTypeNamed(container, field.complex);
  if (declared === undefined) return [];
  const types = [declared, ...declared.derived.flatMap((name) => complexTypeNamed(container, name) ?? [])];
  const places = types.flatMap((type) =>
    Object.entries(type.fields).flatMap(([name, inner]) => {
      if (type !== declared && Object.hasOwn(declared.fields, name)) return [];
      const cast = type === declared ? '' : `/${type.qualifiedName}`;
      return [
        {
          path: `${path}${cast}/${name}`,
          field: { ...inner, nullable: true as const },
          of: (row: JsonObject) => memberOf(of(row), name, inner, type, declared),
        },
      ];
    }),
  );
  return places.flatMap((inner) => [inner, ...within(inner, container, depth - 1)]);
}

// An empty collection within a value need not be shown.
function memberOf(
  value: Json | undefined,
  name: string,
  { collection }: Field,
  type: ComplexType,
  declared: ComplexType,
): Json | undefined {
  if (value === undefined || value === null || !isObject(value)) return null;
  const isOfType = [type.qualifiedName, ...type.derived].includes(typeOf(value) ?? declared.qualifiedName);
  return isOfType ? (value.members.get(name) ?? (collection ? { kind: 'array', items: [] } : null)) : null;
}

function typeOf({ members }: JsonObject): string | undefined {
  const type = members.get('@odata.type');
  return typeof type === 'string' ? type.slice(type.lastIndexOf('#') + 1) : undefined;
}
