import { StructureKind, type StatementStructures } from 'ts-morph';
import { mediaStream, type PrimitiveTypeName } from '../../runtime/edm/index.js';
import type { ComplexNode, EntityNode, FieldNode, ModelGraph, NavigationNode, StreamNode } from '../graph/model-graph.js';
import { docText, factsOf } from './describe.js';
import { isCreatedByJson } from './entity-kinds.js';
import type { PathColumn } from '../graph/path-column.js';
import { printPropertyName, printString } from './print-literal.js';
import { typeImport, type Emitted } from './structures.js';

/** The types of one entity: the record as read, its key, the bodies, and the unions of closed lists. */
export function emitTypes(entity: EntityNode, { entities, complexTypes }: ModelGraph): Emitted {
  const declared = ownNavigation(entity);
  const { base } = entity.hierarchy;
  const names = new Set(declared.map(({ navigation }) => navigation.target));
  const targets = new Set(entities.filter(({ name }) => names.has(name)).map(({ qualifiedName }) => qualifiedName));
  const others = entities.filter((other) => other !== entity && other.first === undefined && (other.qualifiedName === base?.qualifiedName || targets.has(other.qualifiedName)));
  const own = ownFields(entity);
  const statements: readonly StatementStructures[] = [
    ...others.map((other) => typeImport(`../${other.folder}/types.js`, other.typeName)),
    ...enumerationTypes(own),
    ...complexImports(usesOf(entity, complexTypes), entity.folder),
    ...own.flatMap(unionOf),
    entityOf(entity, entities, complexTypes),
    ...(entity.key.length === 0 ? [] : [keyOf(entity)]),
    ...createOf(entity, complexTypes),
    ...updateOf(entity, complexTypes),
  ];
  return { statements };
}

function usesOf(entity: EntityNode, complexTypes: ComplexTypes): readonly ComplexUse[] {
  const { fields } = entity;
  return [
    ...valueUses(ownFields(entity), complexTypes),
    ...(isCreatedByJson(entity) ? bodyUses(fields, notCreated(entity), complexTypes, 'create') : []),
    ...(offers(entity, 'updateEntity') ? bodyUses(fields, notUpdated(entity), complexTypes, 'update') : []),
  ];
}

// What a type inherits stands in the interface that it extends.
function ownFields({ fields }: EntityNode): readonly FieldNode[] {
  return fields.filter(({ inherited }) => !inherited);
}

function notCreated({ rules }: EntityNode): ReadonlySet<string> {
  return new Set([...rules.computed, ...rules.initialOnly]);
}

function notUpdated({ key, rules }: EntityNode): ReadonlySet<string> {
  return new Set([...key, ...rules.computed, ...rules.immutable]);
}

function offers({ routes }: EntityNode, operation: string): boolean {
  return routes.some((route) => route.operation === operation);
}

type ComplexTypes = readonly ComplexNode[];

function complexOf({ field }: FieldNode, complexTypes: ComplexTypes): ComplexNode | undefined {
  return complexTypes.find(({ qualifiedName }) => qualifiedName === field.complex);
}

/** Imports of the types of enumerations that properties have. */
export function enumerationTypes(fields: readonly FieldNode[]): readonly StatementStructures[] {
  const enumerations = [...new Set(fields.flatMap(({ enumeration }) => enumeration?.typeName ?? []))];
  return enumerations.length === 0 ? [] : [typeImport('../enumerations.js', ...enumerations)];
}

/** A name that generated code uses of a complex type. */
export type ComplexUse = readonly [type: ComplexNode, name: string];

/** Imports of what is used of complex types, one a module. */
export function complexImports(uses: readonly ComplexUse[], folder: string): readonly StatementStructures[] {
  const folders = new Set(uses.map(([type]) => type.folder).filter((other) => other !== folder));
  return [...folders].map((other) => typeImport(`../${other}/types.js`, ...new Set(uses.filter(([type]) => type.folder === other).map(([, name]) => name))));
}

/** What is used of complex types by properties as they are read. */
export function valueUses(fields: readonly FieldNode[], complexTypes: ComplexTypes): readonly ComplexUse[] {
  return fields.flatMap((node) => complexOf(node, complexTypes) ?? []).map((type) => [type, type.typeName]);
}

/** What is used of complex types by properties in a body; an item of a collection is always a new one. */
export function bodyUses(fields: readonly FieldNode[], without: ReadonlySet<string>, complexTypes: ComplexTypes, body: 'create' | 'update'): readonly ComplexUse[] {
  return fields.flatMap((node) => {
    const type = without.has(node.name) ? undefined : complexOf(node, complexTypes);
    return type === undefined ? [] : [[type, node.field.collection ? type.derived.create : type.derived[body]] as const];
  });
}

// Shapes other than points are what GeoJSON says (RFC 7946).
const primitiveTypes: { readonly [Name in PrimitiveTypeName]: string } = {
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.SByte': 'number',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
  'Edm.Decimal': 'number',
  'Edm.Single': 'number',
  'Edm.Double': 'number',
  'Edm.Date': 'string',
  'Edm.TimeOfDay': 'string',
  'Edm.DateTimeOffset': 'string',
  'Edm.Duration': 'string',
  'Edm.Guid': 'string',
  'Edm.Binary': 'string',
  'Edm.GeographyPoint': "{ type: 'Point'; coordinates: [longitude: number, latitude: number] }",
  'Edm.GeometryPoint': "{ type: 'Point'; coordinates: [x: number, y: number] }",
  'Edm.Geography': 'object',
  'Edm.GeographyLineString': "{ type: 'LineString'; coordinates: [longitude: number, latitude: number][] }",
  'Edm.GeographyPolygon': "{ type: 'Polygon'; coordinates: [longitude: number, latitude: number][][] }",
  'Edm.GeographyMultiPoint': "{ type: 'MultiPoint'; coordinates: [longitude: number, latitude: number][] }",
  'Edm.GeographyMultiLineString': "{ type: 'MultiLineString'; coordinates: [longitude: number, latitude: number][][] }",
  'Edm.GeographyMultiPolygon': "{ type: 'MultiPolygon'; coordinates: [longitude: number, latitude: number][][][] }",
  'Edm.GeographyCollection': "{ type: 'GeometryCollection'; geometries: object[] }",
  'Edm.Geometry': 'object',
  'Edm.GeometryLineString': "{ type: 'LineString'; coordinates: [x: number, y: number][] }",
  'Edm.GeometryPolygon': "{ type: 'Polygon'; coordinates: [x: number, y: number][][] }",
  'Edm.GeometryMultiPoint': "{ type: 'MultiPoint'; coordinates: [x: number, y: number][] }",
  'Edm.GeometryMultiLineString': "{ type: 'MultiLineString'; coordinates: [x: number, y: number][][] }",
  'Edm.GeometryMultiPolygon': "{ type: 'MultiPolygon'; coordinates: [x: number, y: number][][][] }",
  'Edm.GeometryCollection': "{ type: 'GeometryCollection'; geometries: object[] }",
  'Edm.Untyped': 'unknown',
  'Edm.PrimitiveType': 'string | number | boolean',
  'Edm.ComplexType': 'object',
};

/** The union of a property's allowed values. */
export function unionOf({ name, unionName, field }: FieldNode): readonly StatementStructures[] {
  if (unionName === undefined) return [];
  const values = field.allowedValues ?? [];
  const type = values.length === 0 ? 'never' : values.map((value) => `\n| ${printString(value)}`).join('');
  return [{ kind: StructureKind.TypeAlias, isExported: true, name: unionName, type, docs: [docText(`The values of ${name}`)] }];
}

function entityOf(entity: EntityNode, entities: readonly EntityNode[], complexTypes: ComplexTypes): StatementStructures {
  const fields = ownFields(entity).map((field) => ({
    name: printPropertyName(field.name),
    type: typeOf(field, complexTypes),
    docs: docs(docText(field.description, factsOf(field, entity).join(' ') || undefined)),
  }));
  const navigation = ownNavigation(entity).map((node) => ({
    name: printPropertyName(node.name),
    hasQuestionToken: true,
    type: navigationType(node, entities),
    docs: docs(docText(node.description, 'Present when $expand asks for it')),
  }));
  const streams = entity.streams.filter(({ inherited, name }) => !inherited && !name.includes('/')).flatMap(streamMembers);
  const { base } = entity.hierarchy;
  const description = docText(entity.description ?? `A record of ${entity.name}`);
  return { kind: StructureKind.Interface, isExported: true, name: entity.typeName, docs: docs(description), extends: base ? [base.typeName] : [], properties: [...fields, ...streams, ...navigation], ...dynamicMembers(entity) };
}

/** What answers tell of a media stream; its bytes are at an address of their own. */
export function streamMembers({ name, description }: Pick<StreamNode, 'name' | 'description'>): { name: string; hasQuestionToken: true; type: string; docs: string[] }[] {
  const owner = name === mediaStream ? '' : name;
  const what = description ?? (owner === '' ? 'The media stream of the record' : `The media stream ${name}`);
  const member = (fact: string, doc: string): ReturnType<typeof streamMembers>[number] => ({ name: printPropertyName(`${owner}@odata.${fact}`), hasQuestionToken: true, type: 'string', docs: docs(docText(what, doc)) });
  return [member('mediaContentType', 'Its media type; absent where there is no stream'), member('mediaEtag', 'Its ETag, for If-Match')];
}

/** What an open type says of properties that the model does not declare. */
export function dynamicMembers({ open }: { readonly open: boolean }): { readonly indexSignatures?: { keyName: string; keyType: string; returnType: string }[] } {
  return open ? { indexSignatures: [{ keyName: 'dynamicProperty', keyType: 'string', returnType: 'unknown' }] } : {};
}

/** A comment of several lines starts on a line of its own; where nothing is to be said there is none. */
export function docs(text: string): string[] {
  return text === '' ? [] : [text.includes('\n') ? `\n${text}` : text];
}

/** The type of a property's values as they are read. */
export function typeOf(node: FieldNode, complexTypes: ComplexTypes): string {
  return withNull(node, node.enumeration?.typeName ?? node.unionName ?? complexOf(node, complexTypes)?.typeName ?? primitiveTypes[node.field.type]);
}

function withNull({ field }: FieldNode, base: string): string {
  if (field.collection) return field.nullableItems ? `(${base} | null)[]` : `${base}[]`;
  return field.nullable ? `${base} | null` : base;
}

// What lies within a complex value is none of the record's own members.
function isDirect({ name }: Pick<NavigationNode, 'name'>): boolean {
  return !name.includes('/');
}

function ownNavigation({ navigation }: EntityNode): readonly NavigationNode[] {
  return navigation.filter((node) => !node.inherited && isDirect(node));
}

function navigationType({ navigation, nullable }: NavigationNode, entities: readonly EntityNode[]): string {
  const found = entities.find(({ name }) => name === navigation.target);
  const target = (found?.first ?? found)?.typeName ?? 'never';
  if (navigation.collection) return `${target}[]`;
  return nullable ? `${target} | null` : target;
}

function keyType({ field }: PathColumn): string {
  return primitiveTypes[field.type];
}

function keyOf({ typeName, derived, key, keyColumns, name }: EntityNode): StatementStructures {
  const [first = ''] = key;
  const plain = key.filter((one) => !keyColumns.has(one));
  const within = [...keyColumns].map(([one, column]) => `${printPropertyName(one)}: ${keyType(column)}`);
  const whole = [...(plain.length === 0 ? [] : [`Pick<${typeName}, ${union(plain)}>`]), ...(within.length === 0 ? [] : [`{ ${within.join('; ')} }`])].join(' & ');
  const single = keyColumns.get(first);
  const only = single ? keyType(single) : `${typeName}[${printString(first)}]`;
  const type = key.length === 1 ? only : whole;
  return { kind: StructureKind.TypeAlias, isExported: true, name: derived.key, type, docs: [docText(`The key of ${name}`)] };
}

function createOf(entity: EntityNode, complexTypes: ComplexTypes): readonly StatementStructures[] {
  const { rules, derived, hierarchy, qualifiedName } = entity;
  if (!isCreatedByJson(entity)) return [];
  // In the set of a base type a new record has to say its own.
  const stated = hierarchy.setType === undefined ? '' : `\n& { '@odata.type': ${printString(`#${qualifiedName}`)} }`;
  const type = `${bodyType(entity, rules.requiredOnCreate, notCreated(entity), bodiesOf(complexTypes, 'create'))}${stated}`;
  return [{ kind: StructureKind.TypeAlias, isExported: true, name: derived.create, type, docs: [docText(`The body of \`POST /${addressOf(entity)}\``)] }];
}

function addressOf({ place }: EntityNode): string {
  return place?.name.replace('.', '(…)/') ?? '';
}

function updateOf(entity: EntityNode, complexTypes: ComplexTypes): readonly StatementStructures[] {
  const { rules, derived } = entity;
  if (!offers(entity, 'updateEntity')) return [];
  const type = bodyType(entity, rules.requiredOnUpdate, notUpdated(entity), bodiesOf(complexTypes, 'update'));
  return [{ kind: StructureKind.TypeAlias, isExported: true, name: derived.update, type, docs: [docText(`The body of \`PATCH /${addressOf(entity)}${entity.place?.kind === 'Singleton' ? '' : '(…)'}\``)] }];
}

/** The type that a property has in a body, where it is another than in a record that is read. */
type BodyTypeOf = (field: FieldNode) => string | undefined;

/** What complex values are in bodies; an item of a collection is always a new one. */
export function bodiesOf(complexTypes: ComplexTypes, body: 'create' | 'update'): BodyTypeOf {
  return (node) => {
    const type = complexOf(node, complexTypes);
    return type && withNull(node, node.field.collection ? type.derived.create : type.derived[body]);
  };
}

/** What a body may and must carry of a type. */
export function bodyType({ typeName, fields, navigation, open }: Pick<EntityNode, 'typeName' | 'fields' | 'navigation' | 'open'>, required: readonly string[], without: ReadonlySet<string>, typeInBody: BodyTypeOf): string {
  const nullable = new Set(fields.filter(({ field }) => field.nullable).map(({ name }) => name));
  const other = new Map(fields.flatMap((node) => (without.has(node.name) ? [] : [[node.name, typeInBody(node)] as const])).filter(([, type]) => type !== undefined));
  const picked = required.filter((name) => !nullable.has(name) && !without.has(name) && !other.has(name));
  const narrowed = required.filter((name) => nullable.has(name) && !without.has(name) && !other.has(name));
  const omitted = [...fields.map(({ name }) => name).filter((name) => required.includes(name) || without.has(name) || other.has(name)), ...navigation.filter(isDirect).map(({ name }) => name)];
  const members = [
    ...narrowed.map((name) => `${printPropertyName(name)}: NonNullable<${typeName}[${printString(name)}]>`),
    ...[...other].map(([name, type]) => `${printPropertyName(name)}${required.includes(name) ? `: ${type?.endsWith(' | null') ? `NonNullable<${type}>` : type}` : `?: ${type}`}`),
  ];
  // Omit would forget the declared names beside those of any name.
  const kept = fields.map(({ name }) => name).filter((name) => !omitted.includes(name));
  const rest = open
    ? [...(kept.length > 0 ? [`Partial<Pick<${typeName}, ${union(kept)}>>`] : []), '{ [dynamicProperty: string]: unknown }']
    : [omitted.length > 0 ? `Partial<Omit<${typeName}, ${union(omitted)}>>` : `Partial<${typeName}>`];
  const parts = [
    ...(picked.length > 0 ? [`Pick<${typeName}, ${union(picked)}>`] : []),
    ...(members.length > 0 ? [`{ ${members.join('; ')} }`] : []),
    ...rest,
  ];
  return parts.map((part) => `\n& ${part}`).join('');
}

function union(names: readonly string[]): string {
  return names.map(printString).join(' | ');
}
