import {
  qualified,
  type Attributes,
  type DefinitionDraft,
  type EnumDraft,
  type ModelDraft,
  type NavigationDraft,
  type OperationDraft,
  type ParameterDraft,
  type PlaceDraft,
  type PropertyDraft,
  type SchemaDraft,
  type StructuredDraft,
} from './drafts.js';

/** The model as CSDL XML. */
export function printModel(model: ModelDraft): string {
  const [first] = model.schemas;
  const schemas = model.schemas.map((schema) => schemaXml(schema, schema === first ? [containerXml(model)] : [], model));
  const reference = element(
    'edmx:Reference',
    { Uri: 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml' },
    [element('edmx:Include', { Namespace: 'Org.OData.Core.V1', Alias: 'Core' })],
  );
  const edmx = element('edmx:Edmx', { 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx', Version: '4.01' }, [
    reference,
    element('edmx:DataServices', {}, schemas),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${edmx}\n`;
}

function schemaXml(schema: SchemaDraft, container: readonly string[], model: ModelDraft): string {
  const { namespace, alias, enums, definitions, structured, operations } = schema;
  const children = [
    ...enums.map(enumXml),
    ...definitions.map(definitionXml),
    ...structured.map((type) => structuredXml(type, model)),
    ...operations.map(operationXml),
    ...container,
  ];
  return element('Schema', { xmlns: 'http://docs.oasis-open.org/odata/ns/edm', Namespace: namespace, Alias: alias }, children);
}

function enumXml({ name, underlying, flags, members }: EnumDraft): string {
  return element(
    'EnumType',
    { Name: name, UnderlyingType: underlying, IsFlags: flags ? 'true' : undefined },
    members.map(([member, value]) => element('Member', { Name: member, Value: value })),
  );
}

function definitionXml({ name, underlying, facets }: DefinitionDraft): string {
  return element('TypeDefinition', { Name: name, UnderlyingType: underlying, ...facets });
}

function structuredXml(
  { kind, name, base, abstract, open, stream, key, properties, navigation }: StructuredDraft,
  model: ModelDraft,
): string {
  const keys = key.map(({ path, alias }) => element('PropertyRef', { Name: path, Alias: alias }));
  const attributes = {
    Name: name,
    BaseType: base && qualified(model.random, base.schema, base.name),
    Abstract: flag(abstract),
    OpenType: flag(open),
    HasStream: flag(stream && !base?.stream),
  };
  return element(kind, attributes, [
    ...(keys.length > 0 ? [element('Key', {}, keys)] : []),
    ...properties.map(propertyXml),
    ...navigation.map((one) => navigationXml(one, model)),
  ]);
}

function propertyXml({ name, type, collection, nullable, facets }: PropertyDraft): string {
  return element('Property', { Name: name, Type: typeText(type, collection), Nullable: nullableText(collection, nullable), ...facets });
}

// A collection that says nothing may have null items or not, and a single value may be null.
function nullableText(collection: boolean, nullable: boolean): string | undefined {
  return collection ? String(nullable) : flag(!nullable) && 'false';
}

function navigationXml(
  { name, target, collection, nullable, contains, partner, constraints, onDelete }: NavigationDraft,
  { random }: ModelDraft,
): string {
  const attributes = {
    Name: name,
    Type: typeText(qualified(random, target.schema, target.name), collection),
    Nullable: collection || nullable ? undefined : 'false',
    Partner: partner,
    ContainsTarget: flag(contains),
  };
  const children = [
    ...constraints.map(([property, referenced]) =>
      element('ReferentialConstraint', { Property: property, ReferencedProperty: referenced }),
    ),
    ...(onDelete === undefined ? [] : [element('OnDelete', { Action: onDelete })]),
  ];
  return element('NavigationProperty', attributes, children);
}

function operationXml({ kind, name, bound, composable, parameters, result }: OperationDraft): string {
  const children = [
    ...parameters.map((parameter) => element('Parameter', { Name: parameter.name, ...valueAttributes(parameter) })),
    ...(result ? [element('ReturnType', valueAttributes(result))] : []),
  ];
  return element(kind, { Name: name, IsBound: flag(bound), IsComposable: flag(composable) }, children);
}

function valueAttributes({ type, collection, nullable }: Omit<ParameterDraft, 'name'>): Attributes {
  return { Type: typeText(type, collection), Nullable: nullableText(collection, nullable) };
}

function containerXml({ container, places, imports }: ModelDraft): string {
  const imported = imports.map(({ kind, name, operation, set }) =>
    element(`${kind}Import`, { Name: name, [kind]: operation, EntitySet: set }),
  );
  return element('EntityContainer', { Name: container }, [...places.map(placeXml), ...imported]);
}

function placeXml({ kind, name, type, nullable, bindings }: PlaceDraft): string {
  const typeName = `${type.schema.namespace}.${type.name}`;
  const attributes = kind === 'EntitySet' ? { Name: name, EntityType: typeName } : { Name: name, Type: typeName, Nullable: flag(nullable) };
  return element(
    kind,
    attributes,
    bindings.map(([path, target]) => element('NavigationPropertyBinding', { Path: path, Target: target })),
  );
}

function typeText(type: string, collection: boolean): string {
  return collection ? `Collection(${type})` : type;
}

function flag(value: boolean): 'true' | undefined {
  return value ? 'true' : undefined;
}

function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .flatMap(([attribute, value]) => (value === undefined ? [] : [` ${attribute}="${escape(value)}"`]))
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>\n${children.join('\n').replace(/^/gm, '  ')}\n</${name}>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
