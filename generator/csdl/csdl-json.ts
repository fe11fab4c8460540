import type { Csdl } from './csdl.js';
import { csdlNode } from './csdl-xml.js';
import { annotationsToJson, facetsToJson, jsonNumber, typeToJson, type Json, type JsonObject } from './expression-json.js';
import { serviceContainer } from './service-container.js';
import { attributeOf, childrenOf, type XmlNode } from './xml-printer.js';

/** The complete document as CSDL JSON 4.01, from its elements in XML. */
export function csdlToJson(csdl: Csdl): JsonObject {
  const root = csdlNode(csdl);
  const notes: Notes = (node) => annotationsToJson(node, csdl);
  const schemas = childrenOf(root, 'edmx:DataServices').flatMap(({ children }) => children);
  return merged({
    $Version: csdl.version,
    $EntityContainer: serviceContainer(csdl)?.path,
    $Reference: table(grouped(childrenOf(root, 'edmx:Reference'), 'Uri').map(([uri, same]) => [uri, referenceToJson(same, notes)])),
    ...record(schemas.map((schema) => [attributeOf(schema, 'Namespace') ?? '', schemaToJson(schema, notes)])),
  });
}

type Notes = (node: XmlNode) => JsonObject;
type Entry = readonly [string, Json];

// Several elements may name one document or target, and overloads have one name, but JSON has one member for it.
function grouped(nodes: readonly XmlNode[], attribute: string): readonly (readonly [string, XmlNode])[] {
  const groups = new Map<string, XmlNode>();
  for (const node of nodes) {
    const name = attributeOf(node, attribute) ?? '';
    groups.set(name, { ...node, children: [...(groups.get(name)?.children ?? []), ...node.children] });
  }
  return [...groups];
}

function referenceToJson(reference: XmlNode, notes: Notes): JsonObject {
  const rows = (name: string, attributes: readonly string[]): Json | undefined =>
    list(childrenOf(reference, name).map((row) => ({ ...plain(row, attributes), ...notes(row) })));
  return merged({
    $Include: rows('edmx:Include', ['Namespace', 'Alias']),
    $IncludeAnnotations: rows('edmx:IncludeAnnotations', ['TermNamespace', 'Qualifier', 'TargetNamespace']),
    ...notes(reference),
  });
}

function schemaToJson(schema: XmlNode, notes: Notes): JsonObject {
  const targets = grouped(childrenOf(schema, 'Annotations'), 'Target');
  const elements = schema.children.filter(({ name }) => Object.hasOwn(members, name));
  const overloads = new Map<string, Json[]>();
  const entries = elements.map((element): Entry => {
    const name = nameOf(element);
    const json = elementToJson(element, notes);
    if (element.name !== 'Action' && element.name !== 'Function') return [name, json];
    overloads.set(name, [...(overloads.get(name) ?? []), json]);
    return [name, overloads.get(name) ?? []];
  });
  return merged({
    $Alias: attributeOf(schema, 'Alias'),
    $Annotations: table(targets.map(([target, same]) => [target, notes(same)])),
    ...record(entries),
    ...notes(schema),
  });
}

type Members = { readonly [name: string]: Json | undefined };

/** The members of each element, without its annotations. */
const members: { readonly [name: string]: (node: XmlNode, notes: Notes) => Members } = {
  EntityType: structureToJson,
  ComplexType: structureToJson,
  EnumType: enumTypeToJson,
  TypeDefinition: (node) => ({ ...plain(node, ['UnderlyingType']), ...facetsToJson(node, attributeOf(node, 'UnderlyingType') ?? '') }),
  Term: (node) => ({
    ...typeToJson(node),
    ...plain(node, ['BaseTerm']),
    ...defaultToJson(node),
    $AppliesTo: list((attributeOf(node, 'AppliesTo') ?? '').split(' ').filter(Boolean)),
  }),
  Action: operationToJson,
  Function: operationToJson,
  EntityContainer: (node, notes) => merged(plain(node, ['Extends']), childrenToJson(node, notes)),
  Property: (node) => ({ ...typeToJson(node), ...defaultToJson(node) }),
  NavigationProperty: navigationToJson,
  EntitySet: (node) => ({
    $Collection: true,
    $Type: attributeOf(node, 'EntityType'),
    ...plain(node, ['IncludeInServiceDocument']),
    ...bindingsToJson(node),
  }),
  Singleton: (node) => ({ ...plain(node, ['Type', 'Nullable']), ...bindingsToJson(node) }),
  ActionImport: (node) => plain(node, ['Action', 'EntitySet']),
  FunctionImport: (node) => plain(node, ['Function', 'EntitySet', 'IncludeInServiceDocument']),
};

/** The elements without `$Kind`, which their place or other members tell. */
const implied: ReadonlySet<string> = new Set(['Property', 'EntitySet', 'Singleton', 'ActionImport', 'FunctionImport']);

function elementToJson(node: XmlNode, notes: Notes): JsonObject {
  return merged({ $Kind: implied.has(node.name) ? undefined : node.name }, members[node.name]?.(node, notes) ?? {}, notes(node));
}

// The children that have a name of their own.
function childrenToJson({ children }: XmlNode, notes: Notes): JsonObject {
  const named = children.filter(({ name }) => Object.hasOwn(members, name));
  return record(named.map((child) => [nameOf(child), elementToJson(child, notes)]));
}

function structureToJson(node: XmlNode, notes: Notes): Members {
  const [key] = childrenOf(node, 'Key');
  const refs = key?.children.map((ref) => {
    const alias = attributeOf(ref, 'Alias');
    return alias === undefined ? nameOf(ref) : record([[alias, nameOf(ref)]]);
  });
  return merged(plain(node, ['BaseType', 'Abstract', 'OpenType', 'HasStream']), { $Key: refs }, childrenToJson(node, notes));
}

function enumTypeToJson(node: XmlNode, notes: Notes): Members {
  const numbered = childrenOf(node, 'Member').flatMap((member, index): readonly Entry[] => {
    const value = attributeOf(member, 'Value');
    return [[nameOf(member), value === undefined ? index : jsonNumber(value)], ...suffixed(nameOf(member), notes(member))];
  });
  const isUsual = attributeOf(node, 'UnderlyingType') === 'Edm.Int32';
  return merged(plain(node, isUsual ? ['IsFlags'] : ['UnderlyingType', 'IsFlags']), record(numbered));
}

function navigationToJson(node: XmlNode, notes: Notes): Members {
  const { $Collection, $Type = 'Edm.String' } = typeToJson(node);
  const pairs = childrenOf(node, 'ReferentialConstraint').flatMap((constraint): readonly Entry[] => {
    const [property = '', referenced = ''] = [attributeOf(constraint, 'Property'), attributeOf(constraint, 'ReferencedProperty')];
    return [[property, referenced], ...suffixed(property, notes(constraint))];
  });
  const [onDelete] = childrenOf(node, 'OnDelete');
  return {
    $Collection,
    $Type,
    $Nullable: ($Collection !== true && attributeOf(node, 'Nullable') !== 'false') || undefined,
    ...plain(node, ['Partner', 'ContainsTarget']),
    $ReferentialConstraint: table(pairs),
    ...(onDelete && { $OnDelete: attributeOf(onDelete, 'Action'), ...record(suffixed('$OnDelete', notes(onDelete))) }),
  };
}

function operationToJson(node: XmlNode, notes: Notes): Members {
  const [returned] = childrenOf(node, 'ReturnType');
  const parameters = childrenOf(node, 'Parameter').map((one) => ({ $Name: nameOf(one), ...typeToJson(one), ...notes(one) }));
  return {
    ...plain(node, ['EntitySetPath', 'IsBound', 'IsComposable']),
    $Parameter: list(parameters),
    $ReturnType: returned && { ...typeToJson(returned), ...notes(returned) },
  };
}

function bindingsToJson(node: XmlNode): Members {
  const bindings = childrenOf(node, 'NavigationPropertyBinding');
  return {
    $NavigationPropertyBinding: table(bindings.map((one) => [attributeOf(one, 'Path') ?? '', attributeOf(one, 'Target') ?? ''])),
  };
}

function defaultToJson(node: XmlNode): Members {
  const [type, value] = [attributeOf(node, 'Type') ?? '', attributeOf(node, 'DefaultValue')];
  if (value === undefined) return {};
  if (type === 'Edm.Boolean') return { $DefaultValue: value === 'true' };
  const isNumber = /^Edm\.(Byte|SByte|Int16|Int32|Int64|Decimal|Single|Double)$/.test(type);
  return { $DefaultValue: isNumber ? jsonNumber(value) : value };
}

// Attributes that are members of the same name.
function plain(node: XmlNode, names: readonly string[]): JsonObject {
  return record(names.map((name) => [`$${name}`, node.attributes.get(name)]));
}

function nameOf(node: XmlNode): string {
  return attributeOf(node, 'Name') ?? '';
}

function suffixed(name: string, notes: JsonObject): readonly Entry[] {
  return Object.entries(notes).map(([key, value]) => [`${name}${key}`, value]);
}

function list(items: readonly Json[]): Json | undefined {
  return items.length === 0 ? undefined : items;
}

function table(entries: readonly Entry[]): JsonObject | undefined {
  return entries.length === 0 ? undefined : record(entries);
}

// Without a prototype, __proto__ is an ordinary name, and V8 keeps no hidden class for each set of names.
function record(entries: readonly (readonly [string, Json | undefined])[]): JsonObject {
  const object = Object.create(null) as { [name: string]: Json };
  for (const [name, value] of entries) if (value !== undefined) object[name] = value;
  return object;
}

/** The members of all parts that have a value. */
function merged(...parts: readonly Members[]): JsonObject {
  return record(parts.flatMap((part) => Object.entries(part)));
}
