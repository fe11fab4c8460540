import { complexTypeNamed, complexTypeOf } from '../../edm/index.js';
import { type ComplexType } from '../../edm/entity-type.js';
import { type EntityContainer } from '../../edm/entity-container.js';
import { type Field } from '../../edm/field.js';

/** The minimum nesting depth of complex types, by qualified name; types that are missing require infinite nesting. */
type Heights = ReadonlyMap<string, number>;

const heights = new WeakMap<EntityContainer, Heights>();

/** The instantiable types of a property's value. */
export function possibleTypes(declared: ComplexType, container: EntityContainer): readonly ComplexType[] {
  return typesOf(declared, container).filter(({ qualifiedName }) => heightsOf(container).has(qualifiedName));
}

/** The type with the least nesting. */
export function flattest(types: readonly ComplexType[], container: EntityContainer): ComplexType | undefined {
  const heightOf = ({ qualifiedName }: ComplexType): number => heightsOf(container).get(qualifiedName) ?? Number.POSITIVE_INFINITY;
  return types.toSorted((one, other) => heightOf(one) - heightOf(other))[0];
}

function heightsOf(container: EntityContainer): Heights {
  const found = heights.get(container) ?? findHeights(container);
  heights.set(container, found);
  return found;
}

// Each round finds the types that are one level deeper, until there is none.
function findHeights(container: EntityContainer): Heights {
  const found = new Map<string, number>();
  const isPossible = (field: Field): boolean =>
    typesOf(complexTypeOf(container, field), container).some(({ qualifiedName }) => found.has(qualifiedName));
  for (let height = 0; ; height++) {
    const next = Object.values(container.complexTypes ?? {}).filter(
      (type) => !found.has(type.qualifiedName) && neededIn(type).every(isPossible),
    );
    if (next.length === 0) return found;
    for (const { qualifiedName } of next) found.set(qualifiedName, height);
  }
}

function neededIn({ fields, computed }: ComplexType): readonly Field[] {
  return Object.entries(fields)
    .filter(([name, field]) => field.type === 'Edm.ComplexType' && !field.nullable && !field.collection && !computed.includes(name))
    .map(([, field]) => field);
}

function typesOf(declared: ComplexType, container: EntityContainer): readonly ComplexType[] {
  return [declared, ...declared.derived.flatMap((name) => complexTypeNamed(container, name) ?? [])].filter(({ abstract }) => !abstract);
}
