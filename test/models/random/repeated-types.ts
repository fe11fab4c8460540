import { lineOf, structuredOf, type ModelDraft, type StructuredDraft } from './drafts.js';

/**
 * The complex types of whose values a record may have many: those of the items of collections, of values within their own
 * type, and of what lies within these. Such values have neither navigation properties nor streams.
 */
export function repeatedTypes(model: ModelDraft): ReadonlySet<StructuredDraft> {
  const types = structuredOf(model, 'ComplexType');
  const rootsIn = (holders: readonly StructuredDraft[], isCollection?: true): readonly StructuredDraft[] =>
    holders
      .flatMap(({ properties }) => properties.filter(({ collection }) => isCollection === undefined || collection))
      .flatMap(({ type }) => rootsNamed(type, types));
  const within = (root: StructuredDraft): ReadonlySet<StructuredDraft> => {
    const found = new Set<StructuredDraft>();
    for (const waiting = [root]; waiting.length > 0;) {
      const one = waiting.pop();
      for (const inner of rootsIn(types.filter((type) => rootOf(type) === one)))
        if (!found.has(inner)) {
          found.add(inner);
          waiting.push(inner);
        }
    }
    return found;
  };
  const items = rootsIn([...types, ...structuredOf(model, 'EntityType')], true);
  const recursive = types.filter((type) => type.base === undefined && within(type).has(type));
  const roots = new Set([...items, ...recursive].flatMap((root) => [root, ...within(root)]));
  return new Set(types.filter((type) => roots.has(rootOf(type))));
}

function rootOf(type: StructuredDraft): StructuredDraft {
  return lineOf(type).at(-1) ?? type;
}

// A value of an abstract built-in type may be of any.
function rootsNamed(name: string, types: readonly StructuredDraft[]): readonly StructuredDraft[] {
  if (name === 'Edm.ComplexType') return types.filter(({ base }) => base === undefined);
  return types.filter((type) => [type.schema.namespace, type.schema.alias].some((schema) => `${schema}.${type.name}` === name)).map(rootOf);
}
