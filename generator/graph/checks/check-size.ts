import {
  isOperation,
  type Csdl,
  type EnumType,
  type NavigationProperty,
  type Operation,
  type Property,
  type StructuredType,
} from '../../csdl/csdl.js';
import { containerMembers, elementsOf, isStructured } from '../../csdl/map-elements.js';
import { inputLimits } from '../../csdl/limits.js';
import { faults, type Report } from '../../faults.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import { buildScope, type Scope } from '../names/scope.js';

/**
 * Checks what a short document can multiply: base types contribute their members to every derived type, and a type has
 * a table and files for every entity source. Reports exceeded limits, and returns whether there are none.
 */
export function checkSize(csdl: Csdl, report: Report): boolean {
  const scope = buildScope(csdl);
  const types = elementsOf(csdl, 'EntityType', 'ComplexType', 'EnumType', 'Action', 'Function');
  const large = types.flatMap(({ name, element }) => tooLarge(name, element, scope));
  // Products can be counted only where no chain of base types is endless.
  const found = large.length > 0 ? large : tooMany(sizesOf(csdl, scope));
  for (const { at, what, limit } of found) report(faults.limit(at, what, String(inputLimits[limit])));
  return found.length === 0;
}

/** An exceeded limit, with its position. */
interface Excess {
  readonly at: number;
  readonly what: string;
  readonly limit: 'bases' | 'members' | 'parameters' | 'tables' | 'allMembers';
}

function tooLarge(name: string, element: StructuredType | EnumType | Operation, scope: Scope): readonly Excess[] {
  const { at } = element;
  if (isOperation(element))
    return element.parameters.length > inputLimits.parameters ? [{ at, what: `parameters of ${element.name}`, limit: 'parameters' }] : [];
  if (element.kind === 'EnumType')
    return element.members.length > inputLimits.members ? [{ at, what: `members of ${element.name}`, limit: 'members' }] : [];
  if (element.properties.length > inputLimits.members) return [{ at, what: `properties of ${element.name}`, limit: 'members' }];
  return lineOf(name, scope).length > inputLimits.bases + 1 ? [{ at, what: `base types of ${element.name}`, limit: 'bases' }] : [];
}

/** A type and its base types, the nearest first, up to one beyond the limit. */
function lineOf(name: string, { definitions, qualify }: Scope): readonly Owner[] {
  const line: Owner[] = [];
  for (let at: string | undefined = name; at !== undefined && line.length < inputLimits.bases + 2;) {
    const definition = definitions.get(at);
    if (!isStructured(definition)) break;
    const owner = { name: at, definition };
    // Circular types are reported elsewhere.
    if (line.some((one) => one.definition === definition)) break;
    line.push(owner);
    at = definition.baseType === undefined ? undefined : qualify(definition.baseType);
  }
  return line;
}

interface Owner {
  readonly name: string;
  readonly definition: StructuredType;
}

/** The size of a type's output. */
interface Size {
  readonly definition: StructuredType | EnumType;
  /** The number of its entity sources; one for a type without any. */
  readonly places: number;
  /** Its members per entity source, including inherited ones and those of complex values. */
  readonly members: number;
}

function sizesOf(csdl: Csdl, scope: Scope): readonly Size[] {
  const { definitions } = scope;
  const declared = declaredAt(csdl, scope);
  const values = valueSizes(scope);
  const sizeOf = (property: Property | NavigationProperty): number => 1 + (values.get(scope.qualify(property.type)) ?? 0);
  const own = new Map([...definitions].map(([name, one]) => [name, one.kind === 'EntityType' ? 1 + sum(one.properties.map(sizeOf)) : 1]));
  return [...definitions].flatMap(([name, definition]): readonly Size[] => {
    if (definition.kind === 'EnumType') return [{ definition, places: 1, members: definition.members.length }];
    if (definition.kind === 'ComplexType')
      return [{ definition, places: 1, members: sum(lineOf(name, scope).map((one) => 1 + one.definition.properties.length)) }];
    if (definition.kind !== 'EntityType') return [];
    const line = lineOf(name, scope);
    return [
      {
        definition,
        places: Math.max(1, sum(line.map((one) => declared.get(one.name) ?? 0))),
        members: sum(line.map((one) => own.get(one.name) ?? 0)),
      },
    ];
  });
}

/** The number of sets, singletons and containments of each type. */
function declaredAt(csdl: Csdl, { qualify }: Scope): ReadonlyMap<string, number> {
  const contained = elementsOf(csdl, 'EntityType', 'ComplexType').flatMap(({ element }) =>
    element.properties.flatMap((property) => (property.kind === 'NavigationProperty' && property.containsTarget ? [property.type] : [])),
  );
  const sets = containerMembers(csdl).flatMap((member) =>
    member.kind === 'EntitySet' ? [member.entityType] : member.kind === 'Singleton' ? [member.type] : [],
  );
  const names = [...sets, ...contained];
  return new Map([...grouped(names.map(qualify), (name) => name)].map(([name, same]) => [name, same.length]));
}

// A value may have any type derived from its property's.
function valueSizes(scope: Scope): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const [name, definition] of scope.definitions) {
    if (definition.kind !== 'ComplexType') continue;
    const [own, ...bases] = lineOf(name, scope);
    const size = own?.definition.properties.length ?? 0;
    sizes.set(name, (sizes.get(name) ?? 0) + sum(bases.map((base) => base.definition.properties.length)));
    for (const one of [own, ...bases]) if (one !== undefined) sizes.set(one.name, (sizes.get(one.name) ?? 0) + size);
  }
  return sizes;
}

function tooMany(sizes: readonly Size[]): readonly Excess[] {
  const places = sizes.map((size) => ({ ...size, count: size.places }));
  const members = sizes.map((size) => ({ ...size, count: size.places * size.members }));
  return [
    ...excess(places, 'tables', 'types, each counted per entity source'),
    ...excess(members, 'allMembers', 'members of types, each counted per inheriting type and entity source'),
  ];
}

function excess(counted: readonly (Size & { readonly count: number })[], limit: 'tables' | 'allMembers', what: string): readonly Excess[] {
  const all = sum(counted.map(({ count }) => count));
  if (all <= inputLimits[limit]) return [];
  const most = counted.reduce((one, other) => (other.count > one.count ? other : one));
  return [{ at: most.definition.at, what: `${what}: ${all}, of which ${most.definition.name} has ${most.count}`, limit }];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((one, other) => one + other, 0);
}
