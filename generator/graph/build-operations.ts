import { isPrimitive } from '../../runtime/edm/index.js';
import type { Named, Operation, Property, TypeReference } from '../csdl/csdl.js';
import { elementsOf } from '../csdl/map-elements.js';
import { terms } from '../csdl/terms.js';
import { recordValue, textValue } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import { buildField, descriptionOf } from './values/build-fields.js';
import { checkValue } from './values/check-value.js';
import type { ComplexNode, EntityNode, EnumNode, OperationNode, ParameterNode, ValueNode } from './model-graph.js';
import { signatureOf } from './names/scope.js';
import { callersOf } from './sources/permissions.js';
import type { Context } from './built-model.js';
import { nameOperations, type BuiltOperation, type FormerOperations } from './name-operations.js';

/** The types that parameters and results may have. */
interface KnownTypes {
  readonly entities: readonly EntityNode[];
  readonly complexTypes: readonly ComplexNode[];
  readonly enumerations: ReadonlyMap<string, EnumNode>;
}

/** All overloads of the document; an unsupported one is kept, so that calls are answered by name. */
export function buildOperations(types: KnownTypes, former: FormerOperations, context: Context): readonly OperationNode[] {
  const operations = elementsOf(context.csdl, 'Action', 'Function');
  const built = operations.map(({ name, element }) => buildOperation(element, name, types, context));
  return nameOperations(built, typeNamesOf(types), former);
}

function buildOperation(operation: Operation, qualifiedName: string, types: KnownTypes, model: Context): BuiltOperation {
  const context = ofOverload(operation, qualifiedName, model);
  const { kind, isBound, isComposable, parameters, returnType } = operation;
  const notes = context.notesOf(qualifiedName, operation.annotations);
  const built = parameters.map((parameter) => buildParameter(parameter, qualifiedName, types, context));
  const result = returnType && buildValue({ ...returnType, name: '$ReturnType' }, qualifiedName, types, context);
  const unsupported = [...built, ...(result && !isStreamResult(result) ? [result] : [])].find((value) => !isSupported(value, types))?.type;
  return {
    kind,
    qualifiedName,
    description: descriptionOf(notes, context),
    binding: isBound ? built[0] : undefined,
    parameters: isBound ? built.slice(1) : built,
    result,
    composable: isComposable,
    permissions: callersOf(notes.find(terms.operation)?.value, context),
    unsupported,
  };
}

// Annotations from elsewhere are of one overload, by its signature, or of all of them (CSDL XML 4.01, 14.2.2).
function ofOverload(operation: Operation, name: string, context: Context): Context {
  const signed = `${name}${signatureOf(operation, context.scope.qualify)}`;
  const notesOf: Context['notesOf'] = (path, annotations) => {
    if (path !== name && !path.startsWith(`${name}/`)) return context.notesOf(path, annotations);
    const [all, own] = [context.notesOf(path, []), context.notesOf(`${signed}${path.slice(name.length)}`, annotations)];
    return { find: (term) => own.find(term) ?? all.find(term), misspelt: (term) => [...own.misspelt(term), ...all.misspelt(term)] };
  };
  return { ...context, notesOf };
}

type Parameter = Operation['parameters'][number];

function buildParameter(parameter: Parameter, owner: string, types: KnownTypes, context: Context): ParameterNode {
  const { report } = context;
  const notes = context.notesOf(`${owner}/${parameter.name}`, parameter.annotations);
  const optional = notes.find(terms.optionalParameter);
  const given = textValue(
    recordValue(optional?.value, terms.optionalParameter, report)?.member('DefaultValue'),
    terms.optionalParameter,
    report,
  );
  const value = buildValue(parameter, owner, types, context, given?.value);
  const wrong = given && value.property && checkValue(value.property.field, given.value);
  if (given && wrong) report(faults.defaultValue(given.at, `Parameter ${parameter.name}`, given.value, wrong));
  return { ...value, name: parameter.name, description: descriptionOf(notes, context), optional: optional !== undefined };
}

function buildValue(given: Named & TypeReference, owner: string, types: KnownTypes, context: Context, defaultValue?: string): ValueNode {
  const type = context.scope.qualify(given.type);
  const value = { type, collection: given.collection, nullable: given.nullable !== false && !given.collection };
  const kind = context.scope.definitions.get(type)?.kind;
  if (!isPrimitive(type) && kind !== 'EnumType' && kind !== 'TypeDefinition' && kind !== 'ComplexType')
    return { ...value, property: undefined };
  const property: Property = { ...given, kind: 'Property', defaultValue };
  const built = buildField(property, owner, context, `Parameter ${given.name}`);
  if (built === undefined) return { ...value, property: undefined };
  const { column: _, ...field } = built.field;
  const enumeration = field.enumeration && types.enumerations.get(field.enumeration.qualifiedName);
  return {
    ...value,
    property: {
      at: given.at,
      name: given.name,
      description: built.description,
      example: built.example,
      column: '',
      field,
      unionName: undefined,
      enumeration,
    },
  };
}

// A stream is single, and no parameter (CSDL XML 4.01, 4.4).
function isStreamResult({ type, collection }: ValueNode): boolean {
  return type === 'Edm.Stream' && !collection;
}

function isSupported({ type, property }: ValueNode, { entities, complexTypes }: KnownTypes): boolean {
  if (property === undefined) return entities.some((entity) => entity.qualifiedName === type);
  return property.field.complex === undefined || complexTypes.some(({ qualifiedName }) => qualifiedName === type);
}

function typeNamesOf({ entities, complexTypes, enumerations }: KnownTypes): readonly string[] {
  const derived = [...entities, ...complexTypes].flatMap(({ typeName, derived: names }) => [
    typeName,
    ...Object.values<string>({ ...names }),
  ]);
  return [...derived, ...[...enumerations.values()].map(({ typeName }) => typeName)];
}
