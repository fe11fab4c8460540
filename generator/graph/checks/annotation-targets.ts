import type { Csdl, SchemaElement, StructuredType } from '../../csdl/csdl.js';
import { elementsByName } from '../../csdl/map-elements.js';
import { propertiesOf, type Scope, signatureOf } from '../names/scope.js';

/** Whether the target of an Annotations element exists in the model (CSDL XML 4.01, 14.2.2). */
type IsTarget = (path: string) => boolean;

/** The lookup of targets in all schemas of a model. */
export function targetsOf({ schemas }: Csdl, scope: Scope): IsTarget {
  const elements = elementsByName(schemas);
  const namespaces = new Set(schemas.map(({ namespace }) => namespace));
  const reaches: Reaches = (type, path) => {
    const name = scope.qualify(type);
    return (elements.get(name) ?? []).some((element) => resolves(element, propertiesOf(name, scope), path, reaches));
  };
  return (path) => {
    // Parentheses contain type names, which have no slashes.
    const [first = '', ...rest] = path.split('/').filter((segment) => !segment.startsWith('@'));
    const [name, signature] = splitSignature(first);
    const found = elements.get(name) ?? [];
    if (found.length === 0) return namespaces.has(path);
    const signed = found.filter((element) => signature === undefined || hasSignature(element, signature, scope));
    return signed.some((element) => resolves(element, propertiesOf(name, scope), rest, reaches));
  };
}

/** Whether a path from a type exists. */
type Reaches = (type: string, path: readonly string[]) => boolean;

function splitSignature(name: string): readonly [string, string | undefined] {
  const [, before = name, inner] = /^([^(]*)\((.*)\)$/.exec(name) ?? [];
  return [before, inner];
}

// Identifies one overload: an action by its binding type, a function by all parameter types; without a signature all
// overloads.
function hasSignature(element: SchemaElement, signature: string, { qualify }: Scope): boolean {
  if (element.kind !== 'Action' && element.kind !== 'Function') return false;
  return signatureOf(element, qualify) === `(${signature})`;
}

function resolves(
  element: SchemaElement,
  properties: StructuredType['properties'],
  [next, ...rest]: readonly string[],
  reaches: Reaches,
): boolean {
  if (next === undefined) return true;
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType': {
      // A segment with a dot is a type cast.
      if (next.includes('.')) return reaches(next, rest);
      const property = properties.find(({ name }) => name === next);
      return property !== undefined && (rest.length === 0 || reaches(property.type, rest));
    }
    case 'EnumType':
      return rest.length === 0 && element.members.some(({ name }) => name === next);
    case 'Action':
    case 'Function':
      return (
        rest.length === 0 &&
        ((next === '$ReturnType' && element.returnType !== undefined) || element.parameters.some(({ name }) => name === next))
      );
    case 'EntityContainer': {
      const member = element.members.find(({ name }) => name === next);
      const type = member?.kind === 'EntitySet' ? member.entityType : member?.kind === 'Singleton' ? member.type : undefined;
      return member !== undefined && (rest.length === 0 || (type !== undefined && reaches(type, rest)));
    }
    case 'TypeDefinition':
    case 'Term':
      return false;
  }
}
