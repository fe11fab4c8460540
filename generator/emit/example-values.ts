import { type Field, isNumeric, isShownName } from '../../runtime/edm/index.js';
import { type Json, printJson } from '../../runtime/json/json.js';
import { plausibleText } from '../../runtime/tools/samples/sample-texts.js';
import { sampleValue } from '../../runtime/tools/samples/sample-value.js';
import type { EntityNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import { isMany } from '../graph/sources/places.js';
import { sampleModel } from './sample-model.js';

/** An entity source that examples are about. */
export interface Source {
  readonly entity: EntityNode;
  readonly graph: ModelGraph;
  /** Its path from the service root. */
  readonly path: string;
  readonly shown: readonly FieldNode[];
}

/** Fields that show what the records are: the key, then a state, a text, a number and a date, in the order of the model. */
export function shownFields(entity: EntityNode): readonly FieldNode[] {
  const { fields, key, transitions } = entity;
  const simple = fields.filter(isSimple);
  const chosen = new Set([
    ...fields.filter(({ name }) => key.includes(name)),
    displayText(entity),
    displayNumber(entity),
    simple.find(({ name }) => name === transitions?.property),
    simple.find(({ field }) => field.type === 'Edm.DateTimeOffset') ?? simple.find(({ field }) => field.type === 'Edm.Date'),
  ]);
  return fields.filter((field) => isSingle(field) && chosen.has(field));
}

function isSimple(node: FieldNode): boolean {
  return isSingle(node) && node.field.filterable !== false;
}

function isSingle({ name, field }: FieldNode): boolean {
  return isShownName(name) && !field.collection && field.type !== 'Edm.ComplexType';
}

/** A text that people recognise, such as a city or a name. */
export function displayText({ fields, key, rules, transitions }: EntityNode): FieldNode | undefined {
  const texts = fields.filter(
    (node) =>
      isSimple(node) &&
      node.field.type === 'Edm.String' &&
      !key.includes(node.name) &&
      !Object.hasOwn(rules.references, node.name) &&
      node.name !== transitions?.property,
  );
  return first(texts, [
    ({ example }) => example !== undefined,
    ({ name }) => plausibleText(name, 0) !== undefined,
    ({ field }) => field.lookup !== undefined || field.enumeration !== undefined,
    ({ name }) => /name|title/i.test(name),
  ]);
}

/** An amount, or else another number. */
export function displayNumber({ fields, key }: EntityNode): FieldNode | undefined {
  const numbers = fields.filter(
    (node) => isSimple(node) && isNumeric(node.field.type) && !node.field.enumeration && !key.includes(node.name),
  );
  return first(numbers, [({ example }) => example !== undefined, ({ field }) => field.type === 'Edm.Decimal' && field.scale === 2]);
}

// The first of the fields that fit best: an earlier rule outweighs all later ones.
function first(fields: readonly FieldNode[], rules: readonly ((field: FieldNode) => boolean)[]): FieldNode | undefined {
  const weightOf = (field: FieldNode): number => rules.reduce((weight, fits) => weight * 2 + Number(fits(field)), 0);
  return fields.reduce<FieldNode | undefined>(
    (best, field) => (best === undefined || weightOf(field) > weightOf(best) ? field : best),
    undefined,
  );
}

/** A property that clients may change. */
export function changeable(entity: EntityNode): FieldNode | undefined {
  const { rules, key, transitions } = entity;
  const fixed = new Set([...rules.computed, ...rules.immutable, ...rules.requiredOnUpdate, ...key, transitions?.property]);
  return [displayNumber(entity), displayText(entity)].find((field) => field !== undefined && !fixed.has(field.name));
}

/** The value of a property in the sample with an index, from 0; references are to the first sample of their type, or another. */
export function valueOf(node: FieldNode, { entity, graph }: Source, index: number, referred = 0): Json {
  const { name, field, example } = node;
  const target = entity.rules.references[name];
  if (target !== undefined) return keyValue(target, graph, referred);
  const part = relatedPart(node, entity, graph);
  if (part !== undefined) return keyPart(part.target, part.name, graph, 0);
  if (entity.key.includes(name)) return keyPart(entity, name, graph, index);
  if (example !== undefined && !field.collection) return exampleValue(field.type, example);
  return sampleValue(field, { container: sampleModel(graph), name, index, depth: 0 });
}

// The part of the key of a related record that a property has, if a create sends all parts: together they name a record.
function relatedPart(
  { column }: FieldNode,
  { navigation, fields, rules }: EntityNode,
  graph: ModelGraph,
): { readonly target: EntityNode; readonly name: string } | undefined {
  const sent = fields.filter(({ name }) => rules.requiredOnCreate.includes(name)).map((field) => field.column);
  for (const { collection, join, mirrors, target: name } of navigation.map((node) => node.navigation)) {
    const parts = Object.entries({ ...join, ...mirrors }).filter(([own]) => !own.startsWith('#'));
    if (collection || parts.length < 2 || !parts.every(([own]) => sent.includes(own))) continue;
    const target = graph.entities.find((entity) => entity.name === name);
    const part = target?.fields.find((field) => parts.some(([own, theirs]) => own === column && theirs === field.column));
    if (target && part && target.key.includes(part.name)) return { target, name: part.name };
  }
  return undefined;
}

function exampleValue(type: Field['type'], text: string): Json {
  if (type === 'Edm.Boolean') return text === 'true';
  return isNumeric(type) ? { kind: 'number', text } : text;
}

function keyValue(target: string, graph: ModelGraph, index: number): Json {
  const entity = graph.entities.find(({ name }) => name === target);
  return entity === undefined || entity.key[0] === undefined ? null : keyPart(entity, entity.key[0], graph, index);
}

function keyPart(entity: EntityNode, name: string, graph: ModelGraph, index: number): Json {
  const { field, example } = entity.fields.find((node) => node.name === name) ?? {};
  const { keyGeneration } = entity;
  if (field === undefined) return aliasedPart(entity, name, graph, index);
  if (example !== undefined && index === 0) return exampleValue(field.type, example);
  if (keyGeneration?.strategy === 'sequence' && field.type === 'Edm.String')
    return keyGeneration.acceptGeneratedPart ? String(index + 1) : `${keyGeneration.prefix}${index + 1}`;
  return sampleValue(field, { container: sampleModel(graph), name, index, isKey: true, depth: 0 });
}

// A part under an alias is a property of a complex value, and no key there.
function aliasedPart(entity: EntityNode, name: string, graph: ModelGraph, index: number): Json {
  const field = aliasedField(entity, name);
  const property = entity.keyColumns.get(name)?.property.name ?? name;
  return field === undefined ? String(index + 1) : sampleValue(field, { container: sampleModel(graph), name: property, index, depth: 1 });
}

function aliasedField({ keyColumns }: EntityNode, name: string): Field | undefined {
  const { field, enumeration } = keyColumns.get(name) ?? {};
  return field && { ...field, ...(enumeration && { enumeration: enumeration.table }) };
}

/** The path of the first sample. */
export function addressOf({ entity, graph, path }: Source): string {
  return isSingleton(entity) ? path : `${path}(${keyText(entity, graph)})`;
}

/** The path of the first sample of a type. */
export function referenceTo(target: string, graph: ModelGraph): string {
  const entity = graph.entities.find(({ name }) => name === target);
  return entity?.place === undefined ? '' : addressOf({ entity, graph, path: entity.place.name, shown: [] });
}

function keyText(entity: EntityNode, graph: ModelGraph): string {
  const parts = entity.key.map((name) => {
    const field = entity.fields.find((node) => node.name === name)?.field ?? aliasedField(entity, name);
    return `${entity.key.length === 1 ? '' : `${name}=`}${literal(field, keyPart(entity, name, graph, 0))}`;
  });
  return parts.join(',');
}

/** The value of a property in the first sample, as a literal of a URL. */
export function literalOf(node: FieldNode, source: Source): string {
  return literal(node.field, valueOf(node, source, 0));
}

// A literal of a URL (URL conventions 4.3.1).
function literal(field: Field | undefined, value: Json): string {
  const { type = 'Edm.String', enumeration } = field ?? {};
  const text = typeof value === 'string' ? value : printJson(value);
  if (enumeration !== undefined || type === 'Edm.String') return `'${text.replaceAll("'", "''")}'`;
  return type === 'Edm.Duration' || type === 'Edm.Binary' ? `${type.slice(4).toLowerCase()}'${text}'` : text;
}

/** Whether an entity source has one record at most. */
export function isSingleton({ place }: EntityNode): boolean {
  return place !== undefined && !isMany(place);
}
