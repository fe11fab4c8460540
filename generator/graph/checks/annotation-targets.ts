import type { Csdl, NavigationProperty, Property, SchemaElement, StructuredType } from '../../csdl/csdl.js';
import { elementsByName } from '../../csdl/map-elements.js';
import { type Scope, signatureOf } from '../names/scope.js';

/** Whether the target of an Annotations element exists in the model (CSDL XML 4.01, 14.2.2). */
type IsTarget = (path: string) => boolean;

/** The lookup of targets in all schemas of a model. */
export function targetsOf({ schemas }: Csdl, scope: Scope): IsTarget {
  const elements = elementsByName(schemas);
  const namespaces = new Set(schemas.map(({ namespace }) => namespace));
  return (path) => {
    const [first = '', ...rest] = splitPath(path);
    const [name, signature] = splitSignature(first);
    const found = elements.get(name) ?? [];
    if (found.length === 0) return namespaces.has(path);
    return found.some(
      (element) => (signature === undefined || hasSignature(element, signature, scope)) && resolves(element, rest, elements, scope),
    );
  };
}

// Parentheses contain type names, which have no slashes.
function splitPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => !segment.startsWith('@'));
}

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

type Elements = ReadonlyMap<string, readonly SchemaElement[]>;

function resolves(element: SchemaElement, segments: readonly string[], elements: Elements, scope: Scope): boolean {
  const [next, ...rest] = segments;
  if (next === undefined) return true;
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return leadsFrom(element, segments, elements, scope);
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
      return (
        member !== undefined &&
        (rest.length === 0 ||
          (type !== undefined && (elements.get(scope.qualify(type)) ?? []).some((each) => resolves(each, rest, elements, scope))))
      );
    }
    case 'TypeDefinition':
    case 'Term':
      return false;
  }
}

function leadsFrom(type: StructuredType, [next = '', ...rest]: readonly string[], elements: Elements, scope: Scope): boolean {
  const onward = (name: string, segments: readonly string[]): boolean =>
    (elements.get(scope.qualify(name)) ?? []).some((each) => resolves(each, segments, elements, scope));
  // A segment with a dot is a type cast.
  if (next.includes('.')) return onward(next, rest);
  const property = propertyOf(type, next, elements, scope);
  return property !== undefined && (rest.length === 0 || onward(property.type, rest));
}

function propertyOf(type: StructuredType, name: string, elements: Elements, scope: Scope): Property | NavigationProperty | undefined {
  const seen = new Set<StructuredType>();
  for (let current: SchemaElement | undefined = type; current?.kind === type.kind && !seen.has(current);) {
    seen.add(current);
    const found = current.properties.find((property) => property.name === name);
    if (found !== undefined || current.baseType === undefined) return found;
    current = elements.get(scope.qualify(current.baseType))?.[0];
  }
  return undefined;
}
