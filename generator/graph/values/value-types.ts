import type { Csdl, Property, SchemaElement, StructuredType } from '../../csdl/csdl.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import { paths } from '../../csdl/elements.js';
import { elementsOf } from '../../csdl/map-elements.js';
import type { Scope } from '../names/scope.js';

/** Types of terms, and of properties of complex types that only terms use (CSDL XML 4.01, 4.6). */
const pathTypes: ReadonlySet<string> = new Set(paths.filter((name) => name !== 'Path').map((name) => `Edm.${name}`));

/** Whether a qualified name is that of a type of paths into the model. */
export function isPathType(name: string): boolean {
  return pathTypes.has(name);
}

/** The complex types by qualified name. */
export function complexTypesOf(csdl: Csdl): ReadonlyMap<string, StructuredType> {
  return new Map(elementsOf(csdl, 'ComplexType').map(({ name, element }) => [name, element]));
}

/** The qualified names of the complex types that values of records and of calls may be of; others are for terms alone. */
export function valueTypes(csdl: Csdl, qualify: (name: string) => string): ReadonlySet<string> {
  const complex = complexTypesOf(csdl);
  const baseOf = ({ baseType }: StructuredType): string | undefined => (baseType === undefined ? undefined : qualify(baseType));
  const derived = grouped(complex, ([, definition]) => baseOf(definition) ?? '');
  const found = new Set<string>();
  const inherited = new Set<string>();
  // A work list instead of recursion: thousands of types may be nested.
  const pending = csdl.schemas.flatMap(({ elements }) => elements.flatMap(usedBy)).map((type) => qualify(type));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name) || !complex.has(name)) continue;
    found.add(name);
    for (const [derivedName] of derived.get(name) ?? []) pending.push(derivedName);
    // Inherited members are part of the value; sibling types are not.
    for (let definition = complex.get(name); definition !== undefined;) {
      for (const type of typesOf(definition)) pending.push(qualify(type));
      const base = baseOf(definition);
      definition = base === undefined || inherited.has(base) ? undefined : complex.get(base);
      if (base !== undefined) inherited.add(base);
    }
  }
  return new Set([...found, ...inherited]);
}

function typesOf({ properties }: StructuredType): readonly string[] {
  return properties.flatMap((property) => (property.kind === 'Property' ? [property.type] : []));
}

function usedBy(element: SchemaElement): readonly string[] {
  switch (element.kind) {
    case 'EntityType':
      return typesOf(element);
    case 'Action':
    case 'Function':
      return [...element.parameters, ...(element.returnType ? [element.returnType] : [])].map(({ type }) => type);
    default:
      return [];
  }
}

/** Whether a property is a media stream, possibly through a type definition (CSDL XML 4.01, 4.4 and 11). */
export function isStream({ type }: Property, { scope }: { readonly scope: Scope }): boolean {
  const name = scope.qualify(type);
  const definition = scope.definitions.get(name);
  return name === 'Edm.Stream' || (definition?.kind === 'TypeDefinition' && scope.qualify(definition.underlyingType) === 'Edm.Stream');
}
