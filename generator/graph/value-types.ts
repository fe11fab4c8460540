import type { Csdl, SchemaElement, StructuredType } from '../csdl/csdl.js';
import type { Names } from './context.js';

/** Types of terms, and of properties of complex types that only terms use (CSDL XML 4.01, 4.6). */
const pathTypes: ReadonlySet<string> = new Set(['Edm.AnnotationPath', 'Edm.AnyPropertyPath', 'Edm.ModelElementPath', 'Edm.NavigationPropertyPath', 'Edm.PropertyPath']);

/** Whether a qualified name is that of a type of paths into the model. */
export function isPathType(name: string): boolean {
  return pathTypes.has(name);
}

/** The qualified names of the complex types that values of records and of calls may be of; others are for terms alone. */
export function valueTypes({ schemas }: Csdl, { scope }: Pick<Names, 'scope'>): ReadonlySet<string> {
  const complex = new Map<string, StructuredType>(schemas.flatMap(({ namespace, elements }) => elements.flatMap((element) => (element.kind === 'ComplexType' ? [[`${namespace}.${element.name}`, element] as const] : []))));
  const found = new Set<string>();
  const inherited = new Set<string>();
  // What is inherited is part of the value; other types that derive from the base are not.
  const visitParts = (definition: StructuredType | undefined): void => {
    for (const type of typesOf(definition)) visit(scope.qualify(type));
    const base = definition?.baseType === undefined ? undefined : scope.qualify(definition.baseType);
    if (base === undefined || inherited.has(base)) return;
    inherited.add(base);
    visitParts(complex.get(base));
  };
  const visit = (name: string): void => {
    if (found.has(name) || !complex.has(name)) return;
    found.add(name);
    visitParts(complex.get(name));
    for (const [other, { baseType }] of complex) if (baseType !== undefined && scope.qualify(baseType) === name) visit(other);
  };
  for (const { elements } of schemas) for (const type of elements.flatMap(usedBy)) visit(scope.qualify(type));
  return new Set([...found, ...inherited]);
}

function typesOf(definition: StructuredType | undefined): readonly string[] {
  return definition?.properties.flatMap((property) => (property.kind === 'Property' ? [property.type] : [])) ?? [];
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
