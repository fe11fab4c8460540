import type {
  ContainerMember,
  Csdl,
  EntityContainer,
  NavigationProperty,
  NavigationPropertyBinding,
  Operation,
  Property,
  Reference,
  Schema,
  SchemaElement,
  StructuredType,
  TypeReference,
} from './csdl.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { namespaces } from './elements.js';
import { annotationNodes, facetAttributes, typeName } from './expression-xml.js';
import { node, printXml, type XmlNode } from './xml-printer.js';

/** The complete document as CSDL XML 4.01. */
export function csdlToXml(csdl: Csdl): string {
  return printXml(csdlNode(csdl));
}

/** The document as its root element, from which both forms are printed. */
export const csdlNode = memoized(({ version, references, schemas }: Csdl): XmlNode =>
  node('edmx:Edmx', { 'xmlns:edmx': namespaces.edmx, xmlns: namespaces.edm, Version: version }, [
    ...references.map(referenceNode),
    node('edmx:DataServices', {}, schemas.map(schemaNode)),
  ]),
);

function referenceNode({ uri, includes, includeAnnotations, annotations }: Reference): XmlNode {
  return node('edmx:Reference', { Uri: uri }, [
    ...annotationNodes(annotations),
    ...includes.map((include) =>
      node('edmx:Include', { Namespace: include.namespace, Alias: include.alias }, annotationNodes(include.annotations)),
    ),
    ...includeAnnotations.map(({ termNamespace, qualifier, targetNamespace }) =>
      node('edmx:IncludeAnnotations', { TermNamespace: termNamespace, Qualifier: qualifier, TargetNamespace: targetNamespace }),
    ),
  ]);
}

function schemaNode({ namespace, alias, elements, targets, annotations }: Schema): XmlNode {
  return node('Schema', { Namespace: namespace, Alias: alias }, [
    ...annotationNodes(annotations),
    ...elements.map(elementNode),
    ...targets
      .filter((target) => target.annotations.length > 0)
      .map((target) => node('Annotations', { Target: target.target }, annotationNodes(target.annotations))),
  ]);
}

function elementNode(element: SchemaElement): XmlNode {
  const notes = annotationNodes(element.annotations);
  const Name = element.name;
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return structuredNode(element, notes);
    case 'EnumType': {
      const members = element.members.map((member) =>
        node('Member', { Name: member.name, Value: member.value }, annotationNodes(member.annotations)),
      );
      return node('EnumType', { Name, UnderlyingType: element.underlyingType, IsFlags: element.isFlags || undefined }, [
        ...notes,
        ...members,
      ]);
    }
    case 'TypeDefinition':
      return node('TypeDefinition', { Name, UnderlyingType: element.underlyingType, ...facetAttributes(element) }, notes);
    case 'Term':
      return node(
        'Term',
        {
          Name,
          ...typeAttributes(element),
          BaseTerm: element.baseTerm,
          DefaultValue: element.defaultValue,
          AppliesTo: element.appliesTo.join(' ') || undefined,
        },
        notes,
      );
    case 'Action':
    case 'Function':
      return operationNode(element, notes);
    case 'EntityContainer':
      return containerNode(element, notes);
  }
}

function structuredNode(
  { kind, name, baseType, abstract, openType, hasStream, keys, properties }: StructuredType,
  notes: readonly XmlNode[],
): XmlNode {
  const attributes = {
    Name: name,
    BaseType: baseType,
    Abstract: abstract || undefined,
    OpenType: openType || undefined,
    HasStream: hasStream || undefined,
  };
  return node(kind, attributes, [
    ...keys.map((refs) =>
      node(
        'Key',
        {},
        refs.map((ref) => node('PropertyRef', { Name: ref.name, Alias: ref.alias })),
      ),
    ),
    ...properties.map((property) => (property.kind === 'Property' ? propertyNode(property) : navigationNode(property))),
    ...notes,
  ]);
}

function propertyNode(property: Property): XmlNode {
  return node(
    'Property',
    { Name: property.name, ...typeAttributes(property), DefaultValue: property.defaultValue },
    annotationNodes(property.annotations),
  );
}

function navigationNode(property: NavigationProperty): XmlNode {
  const { name, type, collection, nullable, partner, containsTarget, constraints, onDelete, annotations } = property;
  const attributes = {
    Name: name,
    Type: typeName(type, collection),
    Nullable: nullable,
    Partner: partner,
    ContainsTarget: containsTarget || undefined,
  };
  return node('NavigationProperty', attributes, [
    ...constraints.map((pair) =>
      node(
        'ReferentialConstraint',
        { Property: pair.property, ReferencedProperty: pair.referencedProperty },
        annotationNodes(pair.annotations),
      ),
    ),
    ...(onDelete === undefined ? [] : [node('OnDelete', { Action: onDelete.action }, annotationNodes(onDelete.annotations))]),
    ...annotationNodes(annotations),
  ]);
}

function operationNode(operation: Operation, notes: readonly XmlNode[]): XmlNode {
  const { kind, name, isBound, isComposable, entitySetPath, parameters, returnType } = operation;
  const attributes = { Name: name, IsBound: isBound || undefined, IsComposable: isComposable || undefined, EntitySetPath: entitySetPath };
  return node(kind, attributes, [
    ...parameters.map((parameter) =>
      node('Parameter', { Name: parameter.name, ...typeAttributes(parameter) }, annotationNodes(parameter.annotations)),
    ),
    ...(returnType === undefined ? [] : [node('ReturnType', typeAttributes(returnType), annotationNodes(returnType.annotations))]),
    ...notes,
  ]);
}

function containerNode({ name, extends: base, members }: EntityContainer, notes: readonly XmlNode[]): XmlNode {
  return node('EntityContainer', { Name: name, Extends: base }, [...notes, ...members.map(memberNode)]);
}

function memberNode(member: ContainerMember): XmlNode {
  const notes = annotationNodes(member.annotations);
  const Name = member.name;
  switch (member.kind) {
    case 'EntitySet':
      return node(
        'EntitySet',
        { Name, EntityType: member.entityType, IncludeInServiceDocument: member.includeInServiceDocument ? undefined : false },
        [...bindingNodes(member.bindings), ...notes],
      );
    case 'Singleton':
      return node('Singleton', { Name, Type: member.type, Nullable: member.nullable || undefined }, [
        ...bindingNodes(member.bindings),
        ...notes,
      ]);
    case 'ActionImport':
      return node('ActionImport', { Name, Action: member.operation, EntitySet: member.entitySet }, notes);
    case 'FunctionImport':
      return node(
        'FunctionImport',
        {
          Name,
          Function: member.operation,
          EntitySet: member.entitySet,
          IncludeInServiceDocument: member.includeInServiceDocument || undefined,
        },
        notes,
      );
  }
}

function bindingNodes(bindings: readonly NavigationPropertyBinding[]): readonly XmlNode[] {
  return bindings.map(({ path, target }) => node('NavigationPropertyBinding', { Path: path, Target: target }));
}

type Attributes = { readonly [name: string]: string | number | boolean | undefined };

function typeAttributes(reference: TypeReference): Attributes {
  return { Type: typeName(reference.type, reference.collection), ...facetAttributes(reference) };
}
