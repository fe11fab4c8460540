import type { Csdl, NavigationProperty, Property, ReferentialConstraint, Schema, StructuredType } from '../csdl/csdl.js';
import { elementsOf, mapElements, mapProperties } from '../csdl/map-elements.js';
import { faults, type Report } from '../faults.js';
import { lineOf, namesOf, type Names } from './names.js';

/** A rule that infers a join from names; the first match is used. */
interface Rule {
  readonly name: string;
  readonly description: string;
  readonly join: (from: Ends) => Pairs | undefined;
}

/** A navigation property without a join, and its two types. */
interface Ends {
  readonly property: NavigationProperty;
  readonly own: Shape;
  readonly target: Shape;
}

/** The properties that hold a key, each with its property. */
type Pairs = readonly (readonly [string, string])[];

/** The facts of a type that the rules use. */
interface Shape {
  readonly type: StructuredType;
  readonly name: string;
  readonly key: readonly Property[];
  readonly properties: ReadonlyMap<string, Property>;
  /** The number of navigation properties to each type. */
  readonly leadsTo: ReadonlyMap<string, number>;
}

/** The rules, in order: the names of keys are better evidence than those of properties. */
export const joinRules: readonly Rule[] = [
  {
    name: 'named-key',
    description: 'Nav is to-one, and the type has a property NavKey, NavId or Nav followed by the name of the key',
    join: namedKey,
  },
  {
    name: 'same-key',
    description: 'Nav is to-one, no other navigation property has its type, and the type has properties named like its whole key',
    join: sameKey,
  },
  {
    name: 'key-in-child',
    description: 'Nav is to-many, no other navigation property has its type, and that type has properties named like the whole key',
    join: keyInChild,
  },
  {
    name: 'named-key-in-child',
    description: 'Nav is to-many, no other navigation property has its type, and that type has a property TypeKey or TypeId',
    join: namedKeyInChild,
  },
];

/** Adds the joins that the rules infer; each is reported, since names are no proof. */
export function inferJoins(csdl: Csdl, included: readonly Schema[], report: Report): Csdl {
  const names = namesOf(csdl, included);
  const shapes = shapesOf(csdl, names);
  const infer = (property: NavigationProperty, own: Shape): NavigationProperty => {
    const target = shapes.get(names.qualify(property.type));
    if (target === undefined || isJoined(property, target)) return property;
    return withJoin({ property, own, target }, report);
  };
  const inferred = mapElements(csdl, (element, { namespace }) => {
    const own = element.kind === 'EntityType' ? shapes.get(`${namespace}.${element.name}`) : undefined;
    if (own === undefined || element.kind !== 'EntityType') return element;
    return mapProperties(element, (property) => (property.kind === 'NavigationProperty' ? infer(property, own) : property));
  });
  return inferred === csdl ? csdl : { ...inferred, changed: true };
}

function withJoin({ property, own, target }: Ends, report: Report): NavigationProperty {
  for (const { name, join } of joinRules) {
    const pairs = join({ property, own, target });
    if (pairs === undefined) continue;
    const printed = pairs.map(([left, right]) => printPair(property, own, target, left, right)).join(' and ');
    report({
      ...faults.inferredKey(property.at, `${own.type.name}/${property.name}`, printed, name),
      inferred: { join: `${own.type.name}/${property.name}: ${printed}`, rule: name },
    });
    const constraints = pairs.map(([left, right]): ReferentialConstraint => ({
      at: property.at,
      annotations: [],
      property: left,
      referencedProperty: right,
    }));
    return property.collection ? { ...property, joinedBy: constraints } : { ...property, constraints };
  }
  return property;
}

function printPair({ collection }: NavigationProperty, own: Shape, target: Shape, left: string, right: string): string {
  const [holder, held] = collection ? [target, own] : [own, target];
  return `${holder.type.name}/${left} = ${held.type.name}/${right}`;
}

// Contained entities are joined by containment, and a partner's constraint covers both sides.
function isJoined(property: NavigationProperty, { type }: Shape): boolean {
  if (property.containsTarget || property.constraints.length > 0 || property.joinedBy !== undefined) return true;
  const partner = type.properties.find(({ name }) => name === property.partner);
  return property.partner !== undefined && (partner === undefined || partner.kind === 'NavigationProperty');
}

function shapesOf(csdl: Csdl, names: Names): ReadonlyMap<string, Shape> {
  return new Map(
    elementsOf(csdl, 'EntityType').flatMap(({ name, element: type }): readonly (readonly [string, Shape])[] => {
      const line = lineOf(type, names);
      const all = line.flatMap(({ properties }) => properties);
      const properties = new Map(all.flatMap((property) => (property.kind === 'Property' ? [[property.name, property] as const] : [])));
      const refs = line.find(({ keys }) => keys.length > 0)?.keys[0] ?? [];
      const key = refs.flatMap((ref) => (ref.alias === undefined ? (properties.get(ref.name) ?? []) : []));
      const leadsTo = new Map<string, number>();
      for (const property of all) {
        if (property.kind === 'NavigationProperty')
          leadsTo.set(names.qualify(property.type), (leadsTo.get(names.qualify(property.type)) ?? 0) + 1);
      }
      return key.length === 0 || key.length < refs.length ? [] : [[name, { type, name, key, properties, leadsTo }]];
    }),
  );
}

const endings = ['Key', 'KeyNumeric', 'Id', 'ID', '_Key', '_Id', '_ID'];

function namedKey({ property, own, target }: Ends): Pairs | undefined {
  const [key, second] = target.key;
  if (property.collection || key === undefined || second !== undefined) return undefined;
  return firstOf(
    [...endings, key.name, `_${key.name}`].map((ending) => `${property.name}${ending}`),
    own,
    key,
  );
}

function sameKey({ property, own, target }: Ends): Pairs | undefined {
  if (property.collection || own === target || own.leadsTo.get(target.name) !== 1) return undefined;
  return wholeKey(target, own);
}

function keyInChild({ property, own, target }: Ends): Pairs | undefined {
  if (!property.collection || own === target || own.leadsTo.get(target.name) !== 1) return undefined;
  return wholeKey(own, target);
}

function namedKeyInChild({ property, own, target }: Ends): Pairs | undefined {
  const [key, second] = own.key;
  if (!property.collection || own === target || own.leadsTo.get(target.name) !== 1 || key === undefined || second !== undefined)
    return undefined;
  return firstOf(
    endings.map((ending) => `${own.type.name}${ending}`),
    target,
    key,
  );
}

// The holder's own key must differ, or each would be the other's child.
function wholeKey(held: Shape, holder: Shape): Pairs | undefined {
  const names = held.key.map(({ name }) => name);
  const isOwnKey = holder.key.length === names.length && holder.key.every(({ name }) => names.includes(name));
  const holds = held.key.every((key) => matches(holder.properties.get(key.name), key));
  return holds && !isOwnKey ? names.map((name) => [name, name]) : undefined;
}

function firstOf(candidates: readonly string[], holder: Shape, key: Property): Pairs | undefined {
  const found = candidates.find((candidate) => matches(holder.properties.get(candidate), key));
  return found === undefined ? undefined : [[found, key.name]];
}

function matches(property: Property | undefined, key: Property): boolean {
  return property !== undefined && property.type === key.type && !property.collection;
}
