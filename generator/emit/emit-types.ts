import { StructureKind, type StatementStructures } from 'ts-morph';
import type { PrimitiveTypeName } from '../../runtime/edm/index.js';
import type { EntityNode, FieldNode, ModelGraph, NavigationNode } from '../graph/model-graph.js';
import { docText, factsOf } from './describe.js';
import { printPropertyName, printString } from './print-literal.js';
import { typeImport, type Emitted } from './structures.js';

/** The types of one entity: the record as read, its key, the bodies, and the unions of closed lists. */
export function emitTypes(entity: EntityNode, { entities }: ModelGraph): Emitted {
  const others = entities.filter(({ name }) => name !== entity.name && entity.navigation.some(({ navigation }) => navigation.target === name));
  const enumerations = [...new Set(entity.fields.flatMap(({ enumeration }) => enumeration?.typeName ?? []))];
  const statements: readonly StatementStructures[] = [
    ...others.map((other) => typeImport(`../${other.folder}/types.js`, other.typeName)),
    ...(enumerations.length === 0 ? [] : [typeImport('../enumerations.js', ...enumerations)]),
    ...entity.fields.flatMap(unionOf),
    entityOf(entity, entities),
    keyOf(entity),
    ...createOf(entity),
    ...updateOf(entity),
  ];
  return { statements };
}

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
};

function unionOf({ name, unionName, field }: FieldNode): readonly StatementStructures[] {
  if (unionName === undefined) return [];
  const values = field.allowedValues ?? [];
  const type = values.length === 0 ? 'never' : values.map((value) => `\n| ${printString(value)}`).join('');
  return [{ kind: StructureKind.TypeAlias, isExported: true, name: unionName, type, docs: [docText(`The values of ${name}`)] }];
}

function entityOf(entity: EntityNode, entities: readonly EntityNode[]): StatementStructures {
  const fields = entity.fields.map((field) => ({
    name: printPropertyName(field.name),
    type: typeOf(field),
    docs: docs(docText(field.description, factsOf(field, entity).join(' ') || undefined)),
  }));
  const navigation = entity.navigation.map((node) => ({
    name: printPropertyName(node.name),
    hasQuestionToken: true,
    type: navigationType(node, entities),
    docs: docs(docText(node.description, 'Present when $expand asks for it')),
  }));
  const description = docText(entity.description ?? `A record of ${entity.name}`);
  return { kind: StructureKind.Interface, isExported: true, name: entity.typeName, docs: docs(description), properties: [...fields, ...navigation] };
}

// A comment of several lines starts on a line of its own.
function docs(text: string): string[] {
  return [text.includes('\n') ? `\n${text}` : text];
}

function typeOf({ field, unionName, enumeration }: FieldNode): string {
  const base = enumeration?.typeName ?? unionName ?? primitiveTypes[field.type];
  if (field.collection) return `${base}[]`;
  return field.nullable ? `${base} | null` : base;
}

function navigationType({ navigation, nullable }: NavigationNode, entities: readonly EntityNode[]): string {
  const target = entities.find(({ name }) => name === navigation.target)?.typeName ?? 'never';
  if (navigation.collection) return `${target}[]`;
  return nullable ? `${target} | null` : target;
}

function keyOf({ typeName, derived, key, name }: EntityNode): StatementStructures {
  const [first = ''] = key;
  const type = key.length === 1 ? `${typeName}[${printString(first)}]` : `Pick<${typeName}, ${union(key)}>`;
  return { kind: StructureKind.TypeAlias, isExported: true, name: derived.key, type, docs: [docText(`The key of ${name}`)] };
}

function createOf(entity: EntityNode): readonly StatementStructures[] {
  const { rules, routes, derived, entitySet } = entity;
  if (!routes.some(({ operation }) => operation === 'createEntity')) return [];
  const without = new Set([...rules.computed, ...rules.initialOnly]);
  const type = bodyType(entity, rules.requiredOnCreate, without);
  return [{ kind: StructureKind.TypeAlias, isExported: true, name: derived.create, type, docs: [docText(`The body of \`POST /${entitySet}\``)] }];
}

function updateOf(entity: EntityNode): readonly StatementStructures[] {
  const { rules, routes, derived, entitySet, key } = entity;
  if (!routes.some(({ operation }) => operation === 'updateEntity')) return [];
  const without = new Set([...key, ...rules.computed, ...rules.immutable]);
  const type = bodyType(entity, rules.requiredOnUpdate, without);
  return [{ kind: StructureKind.TypeAlias, isExported: true, name: derived.update, type, docs: [docText(`The body of \`PATCH /${entitySet}(…)\``)] }];
}

function bodyType({ typeName, fields, navigation }: EntityNode, required: readonly string[], without: ReadonlySet<string>): string {
  const nullable = new Set(fields.filter(({ field }) => field.nullable).map(({ name }) => name));
  const picked = required.filter((name) => !nullable.has(name) && !without.has(name));
  const narrowed = required.filter((name) => nullable.has(name) && !without.has(name));
  const omitted = [...fields.map(({ name }) => name).filter((name) => required.includes(name) || without.has(name)), ...navigation.map(({ name }) => name)];
  const members = narrowed.map((name) => `${printPropertyName(name)}: NonNullable<${typeName}[${printString(name)}]>`);
  const parts = [
    ...(picked.length > 0 ? [`Pick<${typeName}, ${union(picked)}>`] : []),
    ...(members.length > 0 ? [`{ ${members.join('; ')} }`] : []),
    omitted.length > 0 ? `Partial<Omit<${typeName}, ${union(omitted)}>>` : `Partial<${typeName}>`,
  ];
  return parts.map((part) => `\n& ${part}`).join('');
}

function union(names: readonly string[]): string {
  return names.map(printString).join(' | ');
}
