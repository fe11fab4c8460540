import type { ValueMember } from '../../runtime/schema/schema.js';
import type { ComplexNode } from '../graph/model-graph.js';

/** What items keep in their JSON that is no property's value: where they lead, and their streams. */
export interface ItemMember {
  readonly path: string;
  readonly member: string;
  readonly type: string;
  readonly notNull?: true;
  /** Members of the same item of which one is enough. */
  readonly instead?: readonly string[];
}

/** A property whose values are complex, by its name. */
type Holder = { readonly name: string; readonly complex: string };

/** The members that items keep, by the property that they lie in; what values within others of their type keep is told with these, as their properties are. */
export function inItems(members: readonly ItemMember[], complexTypes: readonly ComplexNode[]): (holder: Holder) => readonly ValueMember[] {
  const byName = new Map(complexTypes.map((type) => [type.qualifiedName, type]));
  return ({ name, complex }) => {
    const told = new Map(
      members
        .filter(({ path }) => path.startsWith(`${name}/`))
        .map((one) => {
          const member = toldOf(one, complex, byName);
          return [member.path, member] as const;
        }),
    );
    // What a type inherits is told of all.
    return [...told.values()].filter(({ path, type }) => told.get(withoutCast(path))?.type !== type || withoutCast(path) === path);
  };
}

function toldOf(
  { path, member, type, notNull, instead }: ItemMember,
  complex: string,
  byName: ReadonlyMap<string, ComplexNode>,
): ValueMember {
  const names = path.split('/').slice(1, -1);
  const { prefix, cast } = names.reduce<Place>((place, name) => follow(place, name, byName), placeOf(complex, '', new Map(), byName));
  const derived = cast === undefined ? [] : (byName.get(cast)?.derivedTypes ?? []);
  return {
    path: `${prefix}${cast === undefined ? '' : `${cast}/`}${member}`,
    type,
    ...(notNull && { notNull }),
    ...(instead && { instead }),
    ...(cast !== undefined && { of: [cast, ...derived] }),
  };
}

/** Where a value lies, what it is declared and cast as, and the values around it by the types that they may be of. */
interface Place {
  /** The path to it, with a slash at its end. */
  readonly prefix: string;
  readonly type: string;
  readonly cast?: string;
  readonly around: ReadonlyMap<string, Place>;
}

function placeOf(type: string, prefix: string, outer: Place['around'], byName: ReadonlyMap<string, ComplexNode>): Place {
  const around = new Map(outer);
  const place: Place = { prefix, type, around };
  around.set(type, place);
  for (const cast of byName.get(type)?.derivedTypes ?? []) around.set(cast, { ...place, cast });
  return place;
}

function follow(place: Place, name: string, byName: ReadonlyMap<string, ComplexNode>): Place {
  if (name.includes('.')) return { ...place, cast: name };
  const { prefix, type, cast, around } = place;
  const complex = byName.get(cast ?? type)?.fields.find((field) => field.name === name)?.field.complex ?? '';
  const isInherited = cast !== undefined && byName.get(type)?.fields.some((field) => field.name === name);
  return around.get(complex) ?? placeOf(complex, `${prefix}${cast === undefined || isInherited ? '' : `${cast}/`}${name}/`, around, byName);
}

function withoutCast(path: string): string {
  return path.replace(/(^|\/)[^/]*\.[^/]*\/([^/]*)$/, '$1$2');
}
