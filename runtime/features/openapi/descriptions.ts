import type { Json } from './json-document.js';

/** The text of Core.Description for a target such as `Shop.Order/Id`, from `$metadata`. */
export type Describe = (target: string) => string | undefined;

const core = 'Org.OData.Core.V1';

/** The descriptions in a CSDL JSON document, on the elements themselves or in `$Annotations`. */
export function descriptionsIn(metadata: Json): Describe {
  const term = `@${coreAlias(metadata)}.Description`;
  const known = new Map<string, string>();
  const note = (target: string, element: Json): void => {
    const text = element[term] ?? element[`@${core}.Description`];
    if (typeof text === 'string') known.set(target, text);
  };
  for (const [namespace, schema] of members(metadata)) {
    note(namespace, schema);
    for (const [name, element] of members(schema)) {
      note(`${namespace}.${name}`, element);
      for (const [member, inner] of members(element)) note(`${namespace}.${name}/${member}`, inner);
    }
    const { $Alias: alias, $Annotations: external = {} } = schema as { readonly $Alias?: string; readonly $Annotations?: Json };
    for (const [target, annotations] of Object.entries(external))
      note(
        alias !== undefined && target.startsWith(`${alias}.`) ? `${namespace}${target.slice(alias.length)}` : target,
        annotations as Json,
      );
  }
  return (target) => known.get(target);
}

function coreAlias({ $Reference: references = {} }: { readonly $Reference?: Json }): string {
  const includes = Object.values(references).flatMap(
    (reference) =>
      (reference as { readonly $Include?: readonly { readonly $Namespace: string; readonly $Alias?: string }[] }).$Include ?? [],
  );
  return includes.find(({ $Namespace: namespace }) => namespace === core)?.$Alias ?? core;
}

// Names of elements begin with neither `$` nor `@`; overloads are arrays.
function members(element: Json): readonly (readonly [name: string, member: Json])[] {
  return Object.entries(element).filter(
    (entry): entry is [string, Json] =>
      /^[^$@]/.test(entry[0]) && typeof entry[1] === 'object' && entry[1] !== null && !Array.isArray(entry[1]),
  );
}
