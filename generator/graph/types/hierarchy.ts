import type { Csdl, StructuredType } from '../../csdl/csdl.js';
import { containerMembers, elementsOf } from '../../csdl/map-elements.js';
import { baseChain } from '../values/inheritance.js';
import type { Context, Lineage } from '../built-model.js';

/** The hierarchy of every entity type by qualified name, base types first. */
export function buildLineages(csdl: Csdl, context: Context): ReadonlyMap<string, Lineage> {
  const definitions: Definitions = new Map(elementsOf(csdl, 'EntityType').map(({ name, element }) => [name, element]));
  const uses = usesOf(csdl, context);
  const families = new Map(
    [...definitions].map(([name, definition]) => {
      const derived = { name, definition, kind: 'entity type', find: (base: string) => definitions.get(base) } as const;
      return [name, [name, ...baseChain(derived, context)]] as const;
    }),
  );
  const isStored = (name: string): boolean =>
    isReached(name, uses) || (definitions.get(name)?.abstract === false && !isTransient(families.get(name) ?? [], definitions, uses));
  const lineages = [...definitions].map(([name, definition]) => {
    const family = families.get(name) ?? [];
    const alone = family.some((each) => uses.one.has(each)) && !family.some((each) => uses.many.has(each));
    return [name, { definition, bases: family.slice(1), root: family.findLast(isStored), alone }] as const;
  });
  return new Map(lineages.sort(([, a], [, b]) => a.bases.length - b.bases.length));
}

// Types without a key and an entity source are transient: only operations use them.
function isTransient(family: readonly string[], definitions: Definitions, uses: Uses): boolean {
  const isKeyless = family.every((name) => definitions.get(name)?.keys.length === 0 && !isReached(name, uses));
  return isKeyless && family.some((name) => uses.called.has(name));
}

function isReached(name: string, { one, many }: Uses): boolean {
  return one.has(name) || many.has(name);
}

type Definitions = ReadonlyMap<string, StructuredType>;

interface Uses {
  /** The types of sets, singletons and navigation targets, single or several. */
  readonly one: ReadonlySet<string>;
  readonly many: ReadonlySet<string>;
  /** The types of parameters and results. */
  readonly called: ReadonlySet<string>;
}

function usesOf(csdl: Csdl, { scope }: Context): Uses {
  const uses = { one: new Set<string>(), many: new Set<string>(), called: new Set<string>() };
  for (const member of containerMembers(csdl)) {
    if (member.kind === 'EntitySet') uses.many.add(scope.qualify(member.entityType));
    if (member.kind === 'Singleton') uses.one.add(scope.qualify(member.type));
  }
  for (const property of elementsOf(csdl, 'EntityType', 'ComplexType').flatMap(({ element }) => element.properties))
    if (property.kind === 'NavigationProperty') uses[property.collection ? 'many' : 'one'].add(scope.qualify(property.type));
  for (const { element } of elementsOf(csdl, 'Action', 'Function'))
    for (const { type } of [...element.parameters, ...(element.returnType ? [element.returnType] : [])])
      uses.called.add(scope.qualify(type));
  return uses;
}
