import type { Csdl, SchemaElement } from '../../csdl/csdl.js';
import { serviceContainer } from '../../csdl/service-container.js';

/** The kinds of elements whose names must be distinct. */
type Kinds = ReadonlySet<SchemaElement['kind']>;

/** Types with tables. */
export const storedKinds: Kinds = new Set(['EntityType']);

/** Types with names in generated code. */
export const declaredKinds: Kinds = new Set(['EntityType', 'ComplexType', 'EnumType']);

/**
 * The distinct names of types that several schemas declare, by qualified name: the type of the container's schema keeps
 * its name, others get their namespace as a prefix, `Org_Shop_Address`. The prefix depends only on the type's own
 * namespace, so that a further schema renames only a type whose name was unique before.
 */
export function distinctNames(csdl: Csdl, kinds: Kinds): ReadonlyMap<string, string> {
  const own = serviceContainer(csdl)?.namespace;
  const namespaces = new Map<string, Set<string>>();
  for (const { namespace, elements } of csdl.schemas) {
    for (const { kind, name } of elements) if (kinds.has(kind)) namespaces.set(name, new Set([...(namespaces.get(name) ?? []), namespace]));
  }
  const shared = [...namespaces].filter(([, all]) => all.size > 1);
  return new Map(
    shared.flatMap(([name, all]) =>
      [...all]
        .filter((namespace) => namespace !== own)
        .map((namespace) => [`${namespace}.${name}`, qualifiedForm(`${namespace}.${name}`)] as const),
    ),
  );
}

/** A qualified name as one identifier. */
export function qualifiedForm(qualifiedName: string): string {
  return qualifiedName.replaceAll('.', '_');
}
