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
}

/** Every entity type by qualified name, each behind the type that it derives from. */
export function buildLineages(csdl: Csdl, context: Context): ReadonlyMap<string, Lineage> {
  const definitions = entityTypesOf(csdl);
  const reached = reachedTypes(csdl, context);
  const lineages = [...definitions].map(([name, { definition, namespace }]) => {
    const bases = basesOf(name, definition, definitions, context);
    const root = [name, ...bases].findLast((one) => definitions.get(one)?.definition.abstract === false || reached.has(one));
    return [name, { definition, namespace, bases, root }] as const;
  });
  return new Map(lineages.sort(([, a], [, b]) => a.bases.length - b.bases.length));
}

type Definitions = ReadonlyMap<string, { readonly definition: StructuredType; readonly namespace: string }>;

function entityTypesOf({ schemas }: Csdl): Definitions {
  return new Map(schemas.flatMap(({ namespace, elements }) =>
    elements.flatMap((element) => (element.kind === 'EntityType' ? [[`${namespace}.${element.name}`, { definition: element, namespace }] as const] : [])),
  ));
}

// The types of sets, and those that navigation leads to: their records are looked for as such.
function reachedTypes({ schemas }: Csdl, { scope }: Context): ReadonlySet<string> {
  const names = schemas.flatMap(({ elements }) => elements.flatMap((element): readonly string[] => {
    if (element.kind === 'EntityContainer') return element.members.flatMap((member) => (member.kind === 'EntitySet' ? [member.entityType] : member.kind === 'Singleton' ? [member.type] : []));
    if (element.kind !== 'EntityType' && element.kind !== 'ComplexType') return [];
    return element.properties.flatMap((property) => (property.kind === 'NavigationProperty' ? [property.type] : []));
  }));
  return new Set(names.map((name) => scope.qualify(name)));
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
