import type { Csdl, SchemaElement, TypeReference } from '../csdl/csdl.js';
import type { BuiltComplex } from './build-complex.js';
import type { Names } from './context.js';

/** The abstract type that every complex type derives from (CSDL XML 4.01, 3.4). */
export const anyComplex = 'Edm.ComplexType';

/** What says in `$metadata` nothing of its own, and here what its values have in common: nothing but their types. */
export function anyComplexType({ schemas }: Csdl, { scope }: Pick<Names, 'scope'>): readonly BuiltComplex[] {
  const used = schemas.flatMap(({ elements }) => elements.flatMap(typesOf)).find(({ type }) => scope.qualify(type) === anyComplex);
  if (used === undefined) return [];
  const name = 'AnyComplexType';
  const definition = {
    kind: 'ComplexType',
    at: used.at,
    name,
    annotations: [],
    baseType: undefined,
    abstract: true,
    openType: false,
    hasStream: false,
    keys: [],
    properties: [],
  } as const;
  return [{ definition, name, qualifiedName: anyComplex, bases: [], own: new Map(), fields: new Map() }];
}

function typesOf(element: SchemaElement): readonly Pick<TypeReference & { readonly at: number }, 'at' | 'type'>[] {
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return element.properties.flatMap((property) => (property.kind === 'Property' ? [property] : []));
    case 'Action':
    case 'Function':
      return [...element.parameters, ...(element.returnType ? [element.returnType] : [])];
    default:
      return [];
  }
}
