import type { ComplexNode, EntityNode, FieldNode } from '../graph/model-graph.js';

/**
 * The earlier name of a type's property, or the earlier path of a nested member; undefined where nothing was renamed.
 */
export type FormerPath = (type: string, path: string) => string | undefined;

/** A type with properties, and its base types. */
interface Owner {
  readonly types: readonly string[];
  readonly fields: readonly FieldNode[];
}

/** The earlier paths: inherited members are annotated at their declaring type, and types in a path at the type. */
export function formerPaths(
  entities: readonly EntityNode[],
  complexTypes: readonly ComplexNode[],
  formerOf: (element: string) => string | undefined,
): FormerPath {
  const owners = new Map<string, Owner>([
    ...entities.map(({ qualifiedName, hierarchy, fields }): [string, Owner] => [
      qualifiedName,
      { types: [qualifiedName, ...hierarchy.bases], fields },
    ]),
    ...complexTypes.map((complex): [string, Owner] => [
      complex.qualifiedName,
      { types: lineOf(complex, complexTypes), fields: complex.fields },
    ]),
  ]);
  return (type, path) => {
    let owner = owners.get(type);
    const before = path.split('/').map((part) => {
      if (part.includes('.')) {
        owner = owners.get(part);
        return formerType(part, formerOf(part));
      }
      const former = owner?.types.map((one) => formerOf(`${one}/${part}`)).find((name) => name !== undefined);
      owner = owners.get(owner?.fields.find(({ name }) => name === part)?.field.complex ?? '');
      return former ?? part;
    });
    return before.join('/') === path ? undefined : before.join('/');
  };
}

function lineOf({ qualifiedName, base }: ComplexNode, complexTypes: readonly ComplexNode[]): readonly string[] {
  const above = complexTypes.find((other) => other.qualifiedName === base);
  return [qualifiedName, ...(above === undefined ? [] : lineOf(above, complexTypes))];
}

// A former name includes the namespace where that was renamed, too.
function formerType(name: string, former: string | undefined): string {
  return former === undefined || former.includes('.') ? (former ?? name) : `${name.slice(0, name.lastIndexOf('.') + 1)}${former}`;
}
