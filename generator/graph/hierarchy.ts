import type { Csdl, StructuredType } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { Context } from './context.js';

/** An entity type's place among those that derive from each other. */
export interface Lineage {
  readonly definition: StructuredType;
  readonly namespace: string;
  /** Qualified names of the types that it derives from, the nearest first. */
  readonly bases: readonly string[];
  /** The type whose table has its records; absent for an abstract type that nothing leads to, which only lends its properties. */
  readonly root: string | undefined;
  /** Only singletons and navigation properties to one record lead to it, so that it needs no key. */
  readonly alone: boolean;
}

/** Every entity type by qualified name, each behind the type that it derives from. */
export function buildLineages(csdl: Csdl, context: Context): ReadonlyMap<string, Lineage> {
  const definitions = entityTypesOf(csdl);
  const uses = usesOf(csdl, context);
  const reached = new Set([...uses.one, ...uses.many]);
  const lineages = [...definitions].map(([name, { definition, namespace }]) => {
    const bases = basesOf(name, definition, definitions, context);
    const root = [name, ...bases].findLast((one) => definitions.get(one)?.definition.abstract === false || reached.has(one));
    const known = [name, ...bases];
    const alone = known.some((each) => uses.one.has(each)) && !known.some((each) => uses.many.has(each));
    return [name, { definition, namespace, bases, root, alone }] as const;
  });
  return new Map(lineages.sort(([, a], [, b]) => a.bases.length - b.bases.length));
}

type Definitions = ReadonlyMap<string, { readonly definition: StructuredType; readonly namespace: string }>;

function entityTypesOf({ schemas }: Csdl): Definitions {
  return new Map(schemas.flatMap(({ namespace, elements }) =>
    elements.flatMap((element) => (element.kind === 'EntityType' ? [[`${namespace}.${element.name}`, { definition: element, namespace }] as const] : [])),
  ));
}

// The types of sets, and those that navigation leads to: their records are looked for as such, many or one.
function usesOf({ schemas }: Csdl, { scope }: Context): { readonly one: ReadonlySet<string>; readonly many: ReadonlySet<string> } {
  const uses = { one: new Set<string>(), many: new Set<string>() };
  for (const element of schemas.flatMap(({ elements }) => elements)) {
    if (element.kind === 'EntityContainer') for (const member of element.members) {
      if (member.kind === 'EntitySet') uses.many.add(scope.qualify(member.entityType));
      if (member.kind === 'Singleton') uses.one.add(scope.qualify(member.type));
    }
    if (element.kind === 'EntityType' || element.kind === 'ComplexType') for (const property of element.properties) {
      if (property.kind === 'NavigationProperty') uses[property.collection ? 'many' : 'one'].add(scope.qualify(property.type));
    }
  }
  return uses;
}

function basesOf(name: string, definition: StructuredType, definitions: Definitions, { scope, report }: Context): readonly string[] {
  const bases: string[] = [];
  for (let at: StructuredType | undefined = definition; at?.baseType !== undefined; at = definitions.get(bases.at(-1) ?? '')?.definition) {
    const base = scope.qualify(at.baseType);
    const why = !definitions.has(base) ? 'is no entity type of this model' : base === name || bases.includes(base) ? 'derives from it' : undefined;
    if (why !== undefined) {
      if (at === definition || base === name) report(faults.baseType(definition.at, definition.name, definition.baseType ?? '', why, scope.definitions.has(base) ? '' : scope.suggest(base)));
      return bases;
    }
    bases.push(base);
  }
  return bases;
}
