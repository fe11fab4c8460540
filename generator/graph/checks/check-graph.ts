import { hiddenMark, isPrimitive, streamColumns } from '../../../runtime/edm/index.js';
import { attributeAt } from '../../csdl/attribute-at.js';
import {
  isOperation,
  type Csdl,
  type Operation,
  type Schema,
  type SchemaElement,
  type StructuredType,
  type TypeReference,
} from '../../csdl/csdl.js';
import { elementsOf } from '../../csdl/map-elements.js';
import { faults, type Report } from '../../faults.js';
import { checkBindings } from './check-bindings.js';
import { checkChangeLog } from './check-change-log.js';
import { checkLayout } from './check-layout.js';
import { checkEndless } from './check-endless.js';
import { checkEntitySetPath, checkOverloads, checkProse } from './check-prose.js';
import { checkValue } from '../values/check-value.js';
import { abstractTypeOf } from '../values/omit-properties.js';
import type { EntityNode, FieldNode, ModelGraph } from '../model-graph.js';
import { isIdentifier } from '../../../runtime/edm/identifier.js';
import { internalColumns } from '../names/names.js';
import { buildScope, type Scope } from '../names/scope.js';
import { isPathType } from '../values/value-types.js';

/** Checks everything beyond resolving names: identifiers, duplicates, bindings, values, and unsupported features. */
export function checkGraph(graph: ModelGraph, report: Report): void {
  const { csdl } = graph;
  const scope = buildScope(csdl);
  const namespaces = new Set<string>();
  for (const schema of csdl.schemas) {
    if (!schema.namespace.split('.').every(isIdentifier)) report(faults.invalidIdentifier(schema.at, schema.namespace));
    if (namespaces.has(schema.namespace)) report(faults.duplicate(schema.at, `the schema ${schema.namespace}`, 'The model'));
    namespaces.add(schema.namespace);
    checkNames(oncePerName(schema, report), `Schema ${schema.namespace}`, report);
    for (const element of schema.elements) checkElement(element, schema.namespace, scope, report);
    checkOverloads(schema.elements.filter(isOperation), scope, report);
  }
  checkEndless(csdl, scope, report);
  checkTypeNames(graph, report);
  checkTables(graph, report);
  checkChangeLog(graph.entities, report);
  checkLayout(graph.entities, report);
  checkContainers(csdl, scope, report);
  for (const table of graph.tables) checkEntity(table, report);
  for (const { name, fields } of graph.complexTypes) checkFields(name, fields, report);
}

// Overloads share a name, and with nothing else (CSDL 12.1.1, 12.2.1). Operations with the name of a type are omitted
// before.
function oncePerName({ namespace, elements }: Schema, report: Report): readonly SchemaElement[] {
  const kinds = new Map<string, Operation['kind']>();
  return elements.filter((element) => {
    if (!isOperation(element)) return true;
    const { at, kind, name } = element;
    const other = kinds.get(name);
    if (other !== undefined && other !== kind) report(faults.operationName(at, `${kind} ${namespace}.${name}`, other));
    kinds.set(name, kind);
    return other === undefined;
  });
}

// Mirrored key properties are in no document.
function writtenProperties({ keys, properties }: StructuredType): StructuredType['properties'] {
  const related = keys.flat().filter((ref) => ref.related && ref.name.startsWith(hiddenMark));
  return properties.filter(({ name }) => !related.some((ref) => ref.name === name));
}

type Named = { readonly at: number; readonly name: string };

function checkNames(items: readonly Named[], owner: string, report: Report): void {
  const seen = new Set<string>();
  for (const { at, name } of items) {
    if (!isIdentifier(name)) report(faults.invalidIdentifier(at, name));
    if (seen.has(name)) report(faults.duplicate(at, `the name ${name}`, owner));
    seen.add(name);
  }
}

function checkElement(element: SchemaElement, namespace: string, scope: Scope, report: Report): void {
  switch (element.kind) {
    case 'EntityType':
      checkProse(element, namespace, scope, report);
      return checkNames(writtenProperties(element), `Entity type ${element.name}`, report);
    case 'ComplexType':
      checkProse(element, namespace, scope, report);
      checkPartners(element, report);
      return checkNames(element.properties, `Complex type ${element.name}`, report);
    case 'EnumType':
      return checkNames(element.members, `Enumeration ${element.name}`, report);
    case 'Action':
    case 'Function':
      checkNames(element.parameters, `${element.kind} ${element.name}`, report);
      checkEntitySetPath(element, scope, report);
      return checkOperation(element, scope, report);
    case 'TypeDefinition': {
      const { at, name, underlyingType } = element;
      const type = scope.qualify(underlyingType);
      // An unknown Edm type is reported where it is used.
      if (type.startsWith('Edm.') && !isPrimitive(type) && !isAbstract(type))
        report(faults.unknownPrimitive(at, `Type definition ${namespace}.${name}`, underlyingType, scope.suggest(type)));
      return;
    }
    default:
  }
}

// CSDL XML 4.01, 8.3: a value has no partner.
function checkPartners({ name: owner, properties }: StructuredType, report: Report): void {
  for (const property of properties) {
    if (property.kind !== 'NavigationProperty' || property.partner === undefined) continue;
    const why = "belongs to a complex type, which cannot be a partner's target (CSDL 4.01, 8.3)";
    const at = attributeAt(property, 'partner');
    report(faults.partner(at, `${owner}/${property.name}`, property.partner, why, 'Remove the Partner.'));
  }
}

function isAbstract(type: string): boolean {
  return type === 'Edm.Stream' || type === 'Edm.PrimitiveType' || isPathType(type);
}

// One table and one module a type, so the unqualified names must differ over all schemas.
function checkTypeNames({ entities }: ModelGraph, report: Report): void {
  const seen = new Map<string, EntityNode>();
  for (const entity of entities) {
    const other = seen.get(entity.name);
    const twins = `${entity.qualifiedName} and ${other?.qualifiedName}, types with one name in two schemas`;
    if (other !== undefined && other.qualifiedName !== entity.qualifiedName)
      report(faults.notSupported(entity.at, twins, 'Rename one of them.'));
    seen.set(entity.name, entity);
  }
}

// The tables of the service, and those of PostgreSQL, which come first in the search path.
const reservedTable = /^(gable|pg)_/;

// Rules.Storage may give two types one table, or one the name that another has by itself.
function checkTables({ tables }: ModelGraph, report: Report): void {
  const seen = new Map<string, EntityNode>();
  for (const entity of tables) {
    const other = seen.get(entity.table);
    const refuse = (why: string): void => report(faults.storageName(entity.at, `Entity type ${entity.name}`, `'${entity.table}'`, why));
    if (other !== undefined && other.name !== entity.name) refuse(`${other.name} is stored there`);
    if (reservedTable.test(entity.table)) refuse('gable_ and pg_ begin the names of tables of the service and of PostgreSQL');
    seen.set(entity.table, entity);
  }
}

function checkContainers(csdl: Csdl, scope: Scope, report: Report): void {
  const [container, second] = elementsOf(csdl, 'EntityContainer').map(({ element }) => element);
  if (container !== undefined && second !== undefined) report(faults.secondContainer(second.at, second.name, container.name));
  if (container === undefined || container.members.length === 0) {
    return report(faults.noContainer(container?.at ?? csdl.schemas[0]?.at ?? 0));
  }
  checkNames(container.members, `Entity container ${container.name}`, report);
  for (const member of container.members)
    if (member.kind === 'EntitySet' || member.kind === 'Singleton') checkBindings(member, container, scope, report);
}

function checkEntity({ at: place, name, fields, streams, navigation, parents, table }: EntityNode, report: Report): void {
  const columns = new Set<string>(internalColumns);
  const ofStreams = streams.flatMap(({ at, stream }) => Object.values(streamColumns(stream)).map((column) => ({ at, column })));
  const internal = navigation.flatMap(({ at, relation }) => (relation?.internal ? [{ at, column: relation.internal.column }] : []));
  const all = [
    ...parents.map(({ column }) => ({ at: place, column })),
    ...fields.filter(({ field }) => !field.more),
    ...ofStreams,
    ...internal,
  ];
  for (const { at, column } of all) {
    if (columns.has(column)) report(faults.columnClash(at, table, column));
    columns.add(column);
  }
  checkFields(name, fields, report);
}

function checkFields(name: string, fields: readonly FieldNode[], report: Report): void {
  for (const { at, name: property, field } of fields) {
    const label = `${name}/${property}`;
    const { default: _, collection: __, ...rest } = field;
    // A limit is a value of the type too, and is not held to itself.
    const { allowedValues, minimum, maximum, ...plain } = rest;
    for (const allowed of allowedValues ?? [])
      reportValue(`Validation.AllowedValues of ${label}`, allowed, checkValue(plain, allowed), at, report);
    if (minimum !== undefined) reportValue(`Validation.Minimum of ${label}`, minimum, checkValue(plain, minimum), at, report);
    if (maximum !== undefined) reportValue(`Validation.Maximum of ${label}`, maximum, checkValue(plain, maximum), at, report);
  }
}

function reportValue(owner: string, value: string, why: string | undefined, at: number, report: Report): void {
  if (why !== undefined) report(faults.value(at, owner, value, why));
}

// Undefined types have been reported by the repair.
function checkOperation({ at, kind, name, isBound, parameters, returnType }: Operation, scope: Scope, report: Report): void {
  if (isBound && parameters.length === 0)
    report(faults.operation(at, `${kind} ${name}`, 'is bound but has no parameter', 'Its first parameter is the binding parameter.'));
  for (const parameter of parameters) checkBuiltIn(parameter, `Parameter ${name}/${parameter.name}`, parameter.at, scope, report);
  if (returnType) checkBuiltIn(returnType, `The result of ${name}`, at, scope, report);
}

function checkBuiltIn({ type }: TypeReference, owner: string, at: number, scope: Scope, report: Report): void {
  const abstract = abstractTypeOf(type, { elements: scope.definitions, qualify: scope.qualify });
  if (abstract !== undefined) report(faults.abstractProperty(at, owner, abstract, 'Name a concrete type.'));
  else if (type.startsWith('Edm.') && !isPrimitive(type) && type !== 'Edm.Stream')
    report(faults.unknownPrimitive(at, owner, type, scope.suggest(type)));
}
