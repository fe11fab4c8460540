import {
  isOperation,
  type Annotatable,
  type Annotation,
  type ContainerMember,
  type Csdl,
  type EntityContainer,
  type EnumType,
  type Facets,
  type NavigationProperty,
  type Operation,
  type Property,
  type Schema,
  type SchemaElement,
  type StructuredType,
  type Term,
  type TypeDefinition,
  type TypeReference,
} from './csdl.js';
import { annotationsToJson, jsonNumber, scaleToJson, type Json, type JsonObject } from './expression-json.js';
import { serviceContainer } from './service-container.js';

/** The complete document as CSDL JSON 4.01. */
export function csdlToJson(csdl: Csdl): JsonObject {
  const notes = (annotations: readonly Annotation[]): JsonObject => annotationsToJson(annotations, csdl);
  return defined({
    $Version: csdl.version,
    $EntityContainer: serviceContainer(csdl)?.path,
    $Reference: table(
      merged(csdl.references.map((reference) => [reference.uri, reference])).map(([uri, same]) => [uri, referenceToJson(same, notes)]),
    ),
    ...record(csdl.schemas.map((schema) => [schema.namespace, schemaToJson(schema, notes)])),
  });
}

type Notes = (annotations: readonly Annotation[]) => JsonObject;

// Several elements may name one document or target, but JSON has one member for it.
function merged<Item>(entries: readonly (readonly [string, Item])[]): readonly (readonly [string, readonly Item[]])[] {
  const groups = new Map<string, Item[]>();
  for (const [name, item] of entries) groups.set(name, [...(groups.get(name) ?? []), item]);
  return [...groups];
}

function referenceToJson(references: readonly Csdl['references'][number][], notes: Notes): JsonObject {
  const includes = references.flatMap((reference) => reference.includes);
  const includeAnnotations = references.flatMap((reference) => reference.includeAnnotations);
  return defined({
    $Include: list(
      includes.map(({ namespace, alias, annotations }) => defined({ $Namespace: namespace, $Alias: alias, ...notes(annotations) })),
    ),
    $IncludeAnnotations: list(
      includeAnnotations.map(({ termNamespace, qualifier, targetNamespace }) =>
        defined({ $TermNamespace: termNamespace, $Qualifier: qualifier, $TargetNamespace: targetNamespace }),
      ),
    ),
    ...notes(references.flatMap(({ annotations }) => annotations)),
  });
}

function schemaToJson({ alias, elements, targets, annotations }: Schema, notes: Notes): JsonObject {
  const operations = new Map<string, Json[]>();
  const entries = elements.map((element): readonly [string, Json] => {
    if (!isOperation(element)) return [element.name, elementToJson(element, notes)];
    const overloads = operations.get(element.name) ?? [];
    overloads.push(operationToJson(element, notes));
    operations.set(element.name, overloads);
    return [element.name, overloads];
  });
  return defined({
    $Alias: alias,
    $Annotations: table(
      merged(targets.map((target) => [target.target, target.annotations])).map(([target, same]) => [target, notes(same.flat())]),
    ),
    ...record(entries),
    ...notes(annotations),
  });
}

function elementToJson(element: Exclude<SchemaElement, Operation>, notes: Notes): JsonObject {
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return structuredTypeToJson(element, notes);
    case 'EnumType':
      return enumTypeToJson(element, notes);
    case 'TypeDefinition':
      return typeDefinitionToJson(element, notes);
    case 'Term':
      return termToJson(element, notes);
    case 'EntityContainer':
      return containerToJson(element, notes);
  }
}

function structuredTypeToJson(type: StructuredType, notes: Notes): JsonObject {
  const [key] = type.keys;
  return defined({
    $Kind: type.kind,
    $BaseType: type.baseType,
    $Abstract: type.abstract || undefined,
    $OpenType: type.openType || undefined,
    $HasStream: type.hasStream || undefined,
    $Key: key?.map(({ name, alias }) => (alias === undefined ? name : record([[alias, name]]))),
    ...record(
      type.properties.map((property) => [
        property.name,
        property.kind === 'Property' ? propertyToJson(property, notes) : navigationToJson(property, notes),
      ]),
    ),
    ...notes(type.annotations),
  });
}

function propertyToJson(property: Property, notes: Notes): JsonObject {
  const $DefaultValue = property.defaultValue === undefined ? undefined : defaultToJson(property.defaultValue, property.type);
  return defined({ ...typeToJson(property), $DefaultValue, ...notes(property.annotations) });
}

function navigationToJson(property: NavigationProperty, notes: Notes): JsonObject {
  const { collection, constraints, onDelete } = property;
  const pairs = constraints.flatMap((constraint): readonly (readonly [string, Json])[] => [
    [constraint.property, constraint.referencedProperty],
    ...suffixed(constraint.property, notes(constraint.annotations)),
  ]);
  return defined({
    $Kind: 'NavigationProperty',
    $Collection: collection || undefined,
    $Type: property.type,
    $Nullable: (!collection && property.nullable !== false) || undefined,
    $Partner: property.partner,
    $ContainsTarget: property.containsTarget || undefined,
    $ReferentialConstraint: table(pairs),
    $OnDelete: onDelete?.action,
    ...record(suffixed('$OnDelete', notes(onDelete?.annotations ?? []))),
    ...notes(property.annotations),
  });
}

function enumTypeToJson({ underlyingType, isFlags, members, annotations }: EnumType, notes: Notes): JsonObject {
  const numbered = members.flatMap((member, index): readonly (readonly [string, Json])[] => [
    [member.name, member.value === undefined ? index : jsonNumber(member.value)],
    ...suffixed(member.name, notes(member.annotations)),
  ]);
  const $UnderlyingType = underlyingType === 'Edm.Int32' ? undefined : underlyingType;
  return defined({ $Kind: 'EnumType', $UnderlyingType, $IsFlags: isFlags || undefined, ...record(numbered), ...notes(annotations) });
}

function typeDefinitionToJson(type: TypeDefinition, notes: Notes): JsonObject {
  return defined({
    $Kind: 'TypeDefinition',
    $UnderlyingType: type.underlyingType,
    ...facetsToJson(type, type.underlyingType),
    ...notes(type.annotations),
  });
}

function termToJson(term: Term, notes: Notes): JsonObject {
  return defined({
    $Kind: 'Term',
    ...typeToJson(term),
    $BaseTerm: term.baseTerm,
    $DefaultValue: term.defaultValue === undefined ? undefined : defaultToJson(term.defaultValue, term.type),
    $AppliesTo: list(term.appliesTo),
    ...notes(term.annotations),
  });
}

function operationToJson(operation: Operation, notes: Notes): JsonObject {
  const { returnType, parameters } = operation;
  return defined({
    $Kind: operation.kind,
    $EntitySetPath: operation.entitySetPath,
    $IsBound: operation.isBound || undefined,
    $IsComposable: operation.isComposable || undefined,
    $Parameter: list(
      parameters.map((parameter) => defined({ $Name: parameter.name, ...typeToJson(parameter), ...notes(parameter.annotations) })),
    ),
    $ReturnType: returnType && defined({ ...typeToJson(returnType), ...notes(returnType.annotations) }),
    ...notes(operation.annotations),
  });
}

function containerToJson(container: EntityContainer, notes: Notes): JsonObject {
  const members = container.members.map((member): readonly [string, Json] => [
    member.name,
    defined({ ...memberToJson(member), ...notes((member as Annotatable).annotations) }),
  ]);
  return defined({ $Kind: 'EntityContainer', $Extends: container.extends, ...record(members), ...notes(container.annotations) });
}

function memberToJson(member: ContainerMember): JsonObject {
  switch (member.kind) {
    case 'EntitySet':
      return defined({
        $Collection: true,
        $Type: member.entityType,
        $IncludeInServiceDocument: member.includeInServiceDocument ? undefined : false,
        $NavigationPropertyBinding: table(member.bindings.map(({ path, target }) => [path, target])),
      });
    case 'Singleton':
      return defined({
        $Type: member.type,
        $Nullable: member.nullable || undefined,
        $NavigationPropertyBinding: table(member.bindings.map(({ path, target }) => [path, target])),
      });
    case 'ActionImport':
      return defined({ $Action: member.operation, $EntitySet: member.entitySet });
    case 'FunctionImport':
      return defined({
        $Function: member.operation,
        $EntitySet: member.entitySet,
        $IncludeInServiceDocument: member.includeInServiceDocument || undefined,
      });
  }
}

function typeToJson(reference: TypeReference): JsonObject {
  return defined({
    $Collection: reference.collection || undefined,
    $Type: reference.type === 'Edm.String' ? undefined : reference.type,
    $Nullable: isNullable(reference) || undefined,
    ...facetsToJson(reference, reference.type),
  });
}

// Without the facet the nullability of items is unspecified; in JSON its absence means not nullable, as here.
function isNullable({ nullable, collection, type }: TypeReference): boolean {
  return nullable ?? (!collection || type === 'Edm.Untyped');
}

function facetsToJson({ maxLength, precision, scale, srid, unicode }: Facets, type: string): JsonObject {
  return defined({
    $MaxLength: maxLength === 'max' ? undefined : maxLength,
    $Unicode: unicode === false ? false : undefined,
    $Precision: precision,
    $Scale: scaleToJson(scale, type),
    $SRID: srid === undefined ? undefined : String(srid),
  });
}

function defaultToJson(value: string, type: string): Json {
  if (type === 'Edm.Boolean') return value === 'true';
  const isNumber = /^Edm\.(Byte|SByte|Int16|Int32|Int64|Decimal|Single|Double)$/.test(type);
  return isNumber ? jsonNumber(value) : value;
}

function suffixed(name: string, notes: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(notes).map(([key, value]) => [`${name}${key}`, value]);
}

function list(items: readonly Json[]): Json | undefined {
  return items.length === 0 ? undefined : items;
}

function table(entries: readonly (readonly [string, Json])[]): JsonObject | undefined {
  return entries.length === 0 ? undefined : record(entries);
}

// Object.fromEntries defines own members, so that a name such as __proto__ survives.
function record(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

function defined(members: { readonly [name: string]: Json | undefined }): JsonObject {
  return record(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}
