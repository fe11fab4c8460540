import type { Csdl, SchemaElement } from '../csdl/csdl.js';
import { serviceContainer } from '../csdl/service-container.js';

/** What names are told apart: types that have tables, or all that have names in generated code. */
type Kinds = ReadonlySet<SchemaElement['kind']>;

/** Types with tables. */
export const storedKinds: Kinds = new Set(['EntityType']);

/** Types with names in generated code. */
export const declaredKinds: Kinds = new Set(['EntityType', 'ComplexType', 'EnumType']);

/**
 * The names of types that have the same one in several schemas, by qualified name: the type of the service's own schema
 * keeps it, every other one is called by its namespace too, `Org_Shop_Address`. What a type is called so depends on
 * nothing but its own namespace, so that one more schema renames none but a type whose name was its alone before.
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

/** A qualified name as one name. */
export function qualifiedForm(qualifiedName: string): string {
  return qualifiedName.replaceAll('.', '_');
}
