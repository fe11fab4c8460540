import { faults, type Report } from '../faults.js';
import type {
  AnnotationsOf,
  ContainerMember,
  EntityContainer,
  EnumType,
  Facets,
  NavigationProperty,
  Operation,
  Property,
  Reference,
  Schema,
  SchemaElement,
  StructuredType,
  Term,
  TypeDefinition,
  TypeReference,
  XmlElement,
} from './csdl.js';
import { readAnnotations } from './read-annotation.js';

/** The references of a document. */
export function readReferences(root: XmlElement, report: Report): readonly Reference[] {
  return childrenOf(root, 'Reference').map((element) => ({
    ...annotatable(element, report),
    uri: text(element, 'Uri'),
    includes: childrenOf(element, 'Include').map((include) => ({
      ...annotatable(include, report),
      namespace: text(include, 'Namespace'),
      alias: include.attributes.get('Alias'),
    })),
    includeAnnotations: childrenOf(element, 'IncludeAnnotations').map(({ at, attributes }) => ({
      at,
      termNamespace: attributes.get('TermNamespace') ?? '',
      qualifier: attributes.get('Qualifier'),
      targetNamespace: attributes.get('TargetNamespace'),
    })),
  }));
}

/** The schemas of a document, in its order. */
export function readSchemas(root: XmlElement, report: Report): readonly Schema[] {
  const schemas = childrenOf(root, 'DataServices').flatMap((element) => childrenOf(element, 'Schema'));
  return schemas.map((element) => ({
    ...annotatable(element, report),
    namespace: text(element, 'Namespace'),
    alias: element.attributes.get('Alias'),
    elements: element.children.flatMap((child) => readers[child.name]?.(child, report) ?? []),
    targets: childrenOf(element, 'Annotations').map((child) => readTarget(child, report)),
  }));
}

const readers: { readonly [name: string]: ((element: XmlElement, report: Report) => SchemaElement) | undefined } = {
  EntityType: readStructuredType,
  ComplexType: readStructuredType,
  EnumType: readEnumType,
  TypeDefinition: readTypeDefinition,
  Term: readTerm,
  Action: readOperation,
  Function: readOperation,
  EntityContainer: readContainer,
};

function readTarget(element: XmlElement, report: Report): AnnotationsOf {
  const qualifier = element.attributes.get('Qualifier');
  const annotations = readAnnotations(element, report).map((annotation) => ({
    ...annotation,
    qualifier: annotation.qualifier ?? qualifier,
  }));
  return { at: element.at, target: text(element, 'Target'), annotations };
}

function readStructuredType(element: XmlElement, report: Report): StructuredType {
  return {
    ...named(element, report),
    kind: element.name === 'EntityType' ? 'EntityType' : 'ComplexType',
    baseType: element.attributes.get('BaseType'),
    abstract: flag(element, 'Abstract', report) ?? false,
    openType: flag(element, 'OpenType', report) ?? false,
    ...(element.attributes.get('OpenType') === 'false' && { closed: true }),
    hasStream: flag(element, 'HasStream', report) ?? false,
    keys: childrenOf(element, 'Key').map((key) =>
      childrenOf(key, 'PropertyRef').map((ref) => ({ at: ref.at, name: text(ref, 'Name'), alias: ref.attributes.get('Alias') })),
    ),
    properties: element.children.flatMap((child): readonly (Property | NavigationProperty)[] => {
      if (child.name === 'Property') return [readProperty(child, report)];
      return child.name === 'NavigationProperty' ? [readNavigationProperty(child, report)] : [];
    }),
  };
}

function readProperty(element: XmlElement, report: Report): Property {
  return {
    ...named(element, report),
    ...readTypeReference(element, report),
    kind: 'Property',
    defaultValue: element.attributes.get('DefaultValue'),
  };
}

function readNavigationProperty(element: XmlElement, report: Report): NavigationProperty {
  const [onDelete] = childrenOf(element, 'OnDelete');
  return {
    ...named(element, report),
    ...splitType(text(element, 'Type')),
    kind: 'NavigationProperty',
    nullable: flag(element, 'Nullable', report),
    partner: element.attributes.get('Partner'),
    containsTarget: flag(element, 'ContainsTarget', report) ?? false,
    constraints: childrenOf(element, 'ReferentialConstraint').map((child) => ({
      ...annotatable(child, report),
      property: text(child, 'Property'),
      referencedProperty: text(child, 'ReferencedProperty'),
    })),
    onDelete: onDelete && { ...annotatable(onDelete, report), action: text(onDelete, 'Action') },
  };
}

function readEnumType(element: XmlElement, report: Report): EnumType {
  return {
    ...named(element, report),
    kind: 'EnumType',
    underlyingType: element.attributes.get('UnderlyingType'),
    isFlags: flag(element, 'IsFlags', report) ?? false,
    members: childrenOf(element, 'Member').map((member) => ({ ...named(member, report), value: member.attributes.get('Value') })),
  };
}

function readTypeDefinition(element: XmlElement, report: Report): TypeDefinition {
  return {
    ...named(element, report),
    ...readFacets(element, report),
    kind: 'TypeDefinition',
    underlyingType: text(element, 'UnderlyingType'),
  };
}

function readTerm(element: XmlElement, report: Report): Term {
  return {
    ...named(element, report),
    ...readTypeReference(element, report),
    kind: 'Term',
    baseTerm: element.attributes.get('BaseTerm'),
    defaultValue: element.attributes.get('DefaultValue'),
    appliesTo: text(element, 'AppliesTo').split(/\s+/).filter(Boolean),
  };
}

function readOperation(element: XmlElement, report: Report): Operation {
  const [returnType] = childrenOf(element, 'ReturnType');
  return {
    ...named(element, report),
    kind: element.name === 'Action' ? 'Action' : 'Function',
    isBound: flag(element, 'IsBound', report) ?? false,
    isComposable: flag(element, 'IsComposable', report) ?? false,
    entitySetPath: element.attributes.get('EntitySetPath'),
    parameters: childrenOf(element, 'Parameter').map((child) => ({ ...named(child, report), ...readTypeReference(child, report) })),
    returnType: returnType && { ...annotatable(returnType, report), ...readTypeReference(returnType, report) },
  };
}

function readContainer(element: XmlElement, report: Report): EntityContainer {
  return {
    ...named(element, report),
    kind: 'EntityContainer',
    extends: element.attributes.get('Extends'),
    members: element.children.flatMap((child) => readMember(child, report) ?? []),
  };
}

function readMember(element: XmlElement, report: Report): ContainerMember | undefined {
  const bindings = childrenOf(element, 'NavigationPropertyBinding').map((child) => ({
    at: child.at,
    path: text(child, 'Path'),
    target: text(child, 'Target'),
  }));
  switch (element.name) {
    case 'EntitySet': {
      const includeInServiceDocument = flag(element, 'IncludeInServiceDocument', report) ?? true;
      return { ...named(element, report), kind: 'EntitySet', entityType: text(element, 'EntityType'), includeInServiceDocument, bindings };
    }
    case 'Singleton':
      return {
        ...named(element, report),
        kind: 'Singleton',
        type: text(element, 'Type'),
        nullable: flag(element, 'Nullable', report) ?? false,
        bindings,
      };
    case 'ActionImport':
    case 'FunctionImport': {
      const operation = text(element, element.name === 'ActionImport' ? 'Action' : 'Function');
      const includeInServiceDocument = flag(element, 'IncludeInServiceDocument', report) ?? false;
      return {
        ...named(element, report),
        kind: element.name,
        operation,
        entitySet: element.attributes.get('EntitySet'),
        includeInServiceDocument,
      };
    }
    default:
      return undefined;
  }
}

function readTypeReference(element: XmlElement, report: Report): TypeReference {
  return { ...splitType(text(element, 'Type')), ...readFacets(element, report) };
}

/** The facets of a type as written (CSDL XML 4.01, 7.2). */
export function readFacets(element: XmlElement, report: Report): Facets {
  const maxLength = element.attributes.get('MaxLength');
  const scale = element.attributes.get('Scale')?.toLowerCase();
  const srid = element.attributes.get('SRID')?.toLowerCase();
  return {
    nullable: flag(element, 'Nullable', report),
    maxLength: maxLength === 'max' ? 'max' : wholeNumber(element, 'MaxLength', 1, report),
    precision: wholeNumber(element, 'Precision', 0, report),
    scale: scale === 'variable' || scale === 'floating' ? scale : wholeNumber(element, 'Scale', 0, report),
    srid: srid === 'variable' ? srid : wholeNumber(element, 'SRID', 0, report),
    unicode: flag(element, 'Unicode', report),
  };
}

/** Splits `Collection(X)`. */
export function splitType(type: string): { readonly type: string; readonly collection: boolean } {
  const item = /^Collection\((.*)\)$/.exec(type)?.[1] ?? type;
  // An invalid name has been reported; an empty one is not reported as unknown.
  return { type: /[()]/.test(item) ? '' : item, collection: item !== type };
}

function flag(element: XmlElement, name: string, report: Report): boolean | undefined {
  const value = element.attributes.get(name);
  if (value === undefined || value === 'true' || value === 'false') return value === undefined ? undefined : value === 'true';
  report(faults.invalidAttribute(element.at, label(element), name, value, 'Write true or false.'));
  return undefined;
}

function wholeNumber(element: XmlElement, name: string, minimum: number, report: Report): number | undefined {
  const value = element.attributes.get(name);
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value) && Number(value) >= minimum) return Number(value);
  report(faults.invalidAttribute(element.at, label(element), name, value, `Write a whole number of at least ${minimum}.`));
  return undefined;
}

function label({ name, attributes }: XmlElement): string {
  return `${name} ${attributes.get('Name') ?? ''}`.trim();
}

function named(element: XmlElement, report: Report): { readonly name: string } & ReturnType<typeof annotatable> {
  return { ...annotatable(element, report), name: text(element, 'Name') };
}

function annotatable(
  element: XmlElement,
  report: Report,
): { readonly at: number; readonly annotations: ReturnType<typeof readAnnotations> } {
  return { at: element.at, annotations: readAnnotations(element, report) };
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

function text(element: XmlElement, name: string): string {
  return element.attributes.get(name) ?? '';
}
