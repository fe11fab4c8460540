import type { StatementStructures } from './ts-morph.js';
import type { EntityNode, FieldNode, ModelGraph, OperationNode, ParameterNode, ValueNode } from '../graph/model-graph.js';
import { handlerContract } from '../graph/name-operations.js';
import { docText, fieldFacts } from './describe.js';
import { createType, updateType } from './entity-kinds.js';
import { complexNamed, typeOf, docs, union } from './property-types.js';
import { printPropertyName, printString } from './print-literal.js';
import { contract, typeImport, typeNamesIn, type Emitted, exportedInterface, exportedType } from './structures.js';

/** The types of handlers: their arguments, their answers, and the registry. */
export function emitOperationTypes(graph: ModelGraph): Emitted {
  const { operations, entities } = graph;
  const sets = entities.filter((entity) => placeName(entity) !== undefined && entity.hierarchy.setType === undefined);
  const body = [
    setsInterface(sets, graph),
    ...operations.flatMap((operation) => [callInterface(operation, graph), handlerType(operation, graph)]),
    registry(operations),
  ];
  return [...importsOf(body, graph), ...body];
}

/** The import of the model's types that the printed texts have as words. */
export function recordImports(body: readonly StatementStructures[], graph: ModelGraph): readonly StatementStructures[] {
  const { entities, complexTypes, enumerations } = graph;
  const names = [
    ...entities
      .filter(({ first }) => first === undefined)
      .flatMap(({ typeName, derived }) => [typeName, derived.key, derived.create, derived.update]),
    ...complexTypes.map(({ derived }) => derived.create),
    ...[...complexTypes, ...enumerations].map(({ typeName }) => typeName),
  ];
  const used = typeNamesIn(body, names);
  return used.length === 0 ? [] : [typeImport('./types.js', ...used)];
}

function importsOf(body: readonly StatementStructures[], graph: ModelGraph): readonly StatementStructures[] {
  const fromContract = typeNamesIn(body, handlerContract);
  return [
    typeImport(contract, ...fromContract),
    ...(fromContract.includes('ActionHandler') ? [typeImport('./index.js', 'Models')] : []),
    ...recordImports(body, graph),
  ];
}

// The set or singleton where the records of a node are.
function placeName({ place }: EntityNode): string | undefined {
  return place === undefined || place.kind === 'Containment' ? undefined : place.name;
}

function setsInterface(sets: readonly EntityNode[], { entities }: ModelGraph): StatementStructures {
  const properties = sets.map((node) => {
    const { typeName, derived } = node.first ?? node;
    const isSet = node.place?.kind === 'EntitySet';
    const [create, update] = [isSet ? createType(node, entities) : 'never', updateType(node, entities)];
    return {
      name: printPropertyName(placeName(node) ?? ''),
      isReadonly: true,
      type: `SetTypes<${[typeName, isSet ? derived.key : 'undefined', create, update].join(', ')}>`,
    };
  });
  return exportedInterface('Sets', ['The entity sets and singletons that handlers read and change.'], { properties });
}

function callInterface(operation: OperationNode, graph: ModelGraph): StatementStructures {
  const { binding, parameters, callType, qualifiedName } = operation;
  const bound = [binding ?? []].flat().map((parameter) => ({
    name: printPropertyName(parameter.name),
    isReadonly: true,
    type: bindingType(parameter, graph),
    docs: docs(docText(parameter.description ?? `The binding parameter: \`${typeText(parameter)}\``)),
  }));
  const others = parameters.map((parameter) => ({
    name: printPropertyName(parameter.name),
    isReadonly: true,
    hasQuestionToken: parameter.optional && parameter.property?.field.default === undefined,
    type: argumentType(parameter, graph),
    docs: docs(
      docText(parameter.description, (parameter.property && fieldFacts(parameter.property).join(' ')) || `\`${typeText(parameter)}\``),
    ),
  }));
  return exportedInterface(callType, docs(docText(`The parameters of \`${qualifiedName}\``)), { properties: [...bound, ...others] });
}

/** The declared type of a value, as in CSDL. */
export function typeText({ type, collection }: ValueNode): string {
  return collection ? `Collection(${type})` : type;
}

function handlerType(operation: OperationNode, graph: ModelGraph): StatementStructures {
  const { kind, qualifiedName, description, callType, handlerType: name, result } = operation;
  const answer = result === undefined ? 'void' : answerType(result, graph);
  const type = `${kind}Handler<${callType}, Sets, ${answer}${kind === 'Action' ? ', Models' : ''}>`;
  return exportedType(name, docs(docText(`The handler of \`${qualifiedName}\``, description)), type);
}

function registry(operations: readonly OperationNode[]): StatementStructures {
  const properties = operations.map(({ handler, handlerType: type }) => ({ name: printPropertyName(handler), isReadonly: true, type }));
  return exportedInterface('Operations', ['The handlers of all operations.'], { properties });
}

function bindingType(binding: ParameterNode, graph: ModelGraph): string {
  const entity = entityOf(binding, graph);
  if (entity === undefined) return argumentType(binding, graph);
  return binding.collection ? `BoundCollection<${entity.typeName}>` : entity.typeName;
}

function argumentType(value: ValueNode, graph: ModelGraph): string {
  const entity = entityOf(value, graph);
  if (entity === undefined) return argumentValue(value, 'string', graph);
  const names = entity.navigation.map(({ name }) => name).filter((name) => !name.includes('/'));
  const related = union([...new Set(names)]);
  return wrapped(`RecordArgument<${recordType(entity, graph)}${related === '' ? '' : `, ${related}`}>`, value);
}

/**
 * The type of a value. To handlers whole numbers of 64 bits and decimals are text, so that none of their digits is lost.
 */
export function valueType(value: ValueNode, exact: string, { complexTypes }: ModelGraph): string {
  const { property } = value;
  if (property === undefined) return 'unknown';
  const { field } = property;
  if (field.type === 'Edm.Int64' || field.type === 'Edm.Decimal')
    return wrapped(itemOf(property.enumeration?.typeName ?? exact, field), value);
  const single = typeOf(
    { ...property, field: { type: field.type, ...(field.complex !== undefined && { complex: field.complex }) } },
    complexTypes,
  );
  return wrapped(itemOf(single, field), value);
}

/** The type of a value in a call: one of a complex type may lack properties. */
export function argumentValue(value: ValueNode, exact: string, graph: ModelGraph): string {
  const complex = complexNamed(value.property?.field.complex, graph.complexTypes);
  return complex ? wrapped(itemOf(complex.derived.create, value.property?.field ?? {}), value) : valueType(value, exact, graph);
}

function itemOf(single: string, { nullableItems }: Pick<FieldNode['field'], 'nullableItems'>): string {
  return nullableItems ? `${single} | null` : single;
}

function wrapped(single: string, { collection, nullable }: ValueNode): string {
  if (collection) return `readonly ${single.includes(' ') || single.startsWith('{') ? `(${single})` : single}[]`;
  return nullable ? `${single} | null` : single;
}

function answerType(result: ValueNode, graph: ModelGraph): string {
  if (result.type === 'Edm.Stream' && !result.collection) return wrapped('StreamAnswer', result);
  const entity = entityOf(result, graph);
  if (entity === undefined) return valueType(result, 'string | number', graph);
  const places = graph.entities.filter(
    ({ qualifiedName, hierarchy }) => qualifiedName === entity.qualifiedName || hierarchy.bases.includes(entity.qualifiedName),
  );
  const sets = places.filter(({ place }) => place?.kind === 'EntitySet' || !result.collection);
  const names = [...new Set(sets.flatMap((node) => placeName(node) ?? []))].map(printString).join(' | ') || 'never';
  if (result.collection) return `CollectionAnswer<Sets, ${names}, ${recordType(entity, graph)}>`;
  return `RecordAnswer<Sets, ${names}, ${recordType(entity, graph)}>${result.nullable ? ' | null' : ''}`;
}

// A value of a derived type is valid as well, with its `@odata.type`.
function recordType({ qualifiedName, typeName }: EntityNode, { entities }: ModelGraph): string {
  const derived = entities.filter(({ hierarchy, first }) => first === undefined && hierarchy.bases.includes(qualifiedName));
  return [typeName, ...derived.map((entity) => entity.typeName)].join(' | ');
}

/** The entity type of a value; undefined for other types. */
export function entityOf({ type, property }: ValueNode, { entities }: ModelGraph): EntityNode | undefined {
  return property === undefined ? entities.find(({ qualifiedName, first }) => qualifiedName === type && first === undefined) : undefined;
}
