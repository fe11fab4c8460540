import type { NavigationProperty, Operation, Property, StructuredType, TypeDefinition } from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { checkWayBack, type NamedStructure } from './check-containment.js';
import { structuresOf, type Scope } from '../names/scope.js';

/** Checks the rules of the standard's prose that no schema contains, for a type whose references are resolved. */
export function checkProse(type: StructuredType, namespace: string, scope: Scope, report: Report): void {
  const name = `${namespace}.${type.name}`;
  const line = structuresOf(name, scope);
  checkClosed(type, line.slice(1), report);
  for (const property of type.properties) {
    if (property.kind === 'Property') checkFacets(property, type, scope, report);
    else checkNavigation(property, { type, name, line, scope }, report);
  }
}

/** Checks such rules for overloads. */
export function checkOverloads(operations: readonly Operation[], scope: Scope, report: Report): void {
  const first = new Map<string, Operation>();
  const functions = operations.filter(({ kind }) => kind === 'Function');
  checkTypes(functions, scope, report);
  for (const operation of operations) {
    const { at, kind, name, isBound, parameters } = operation;
    const key = `${kind} ${name} ${isBound ? typeText(parameters[0], scope) : ''}`;
    const other = first.get(key);
    first.set(key, other ?? operation);
    if (other === undefined) continue;
    const twice = `is declared twice ${isBound ? 'for one binding parameter' : 'unbound'} (CSDL 4.01, 12.2)`;
    if (kind === 'Action') report(faults.prose(at, `Action ${name}`, twice, 'Rename one of the two.'));
    else checkReturns(operation, other, scope, report);
  }
}

function checkReturns({ at, name, returnType }: Operation, other: Operation, scope: Scope, report: Report): void {
  const [own, others] = [typeText(returnType, scope), typeText(other.returnType, scope)];
  const why = `returns ${own || 'nothing'}, but another overload returns ${others || 'nothing'} (CSDL 4.01, 12.4)`;
  if (own !== others) report(faults.prose(at, `Function ${name}`, why, 'Let both return one type, or rename one of the two.'));
}

// Names distinguish overloads first; types alone would not (CSDL 4.01, 12.4).
function checkTypes(functions: readonly Operation[], scope: Scope, report: Report): void {
  const first = new Map<string, Operation>();
  for (const one of functions) {
    const { at, name, isBound, parameters } = one;
    const types = parameters.map((parameter) => typeText(parameter, scope)).join(', ');
    const key = `${name} ${isBound} ${types}`;
    const other = first.get(key);
    first.set(key, other ?? one);
    const why = `has the parameter types ${types} in this order, like another overload (CSDL 4.01, 12.4)`;
    if (other && namesOf(other) !== namesOf(one)) report(faults.prose(at, `Function ${name}`, why, 'Rename one of the two.'));
  }
}

function namesOf({ parameters }: Operation): string {
  return parameters
    .map(({ name }) => name)
    .toSorted()
    .join();
}

/** CSDL 4.01, 12.6: the path begins at the binding parameter. */
export function checkEntitySetPath(operation: Operation, scope: Scope, report: Report): void {
  const { at, kind, name, isBound, parameters, entitySetPath } = operation;
  const [binding] = parameters;
  if (entitySetPath === undefined) return;
  const wrong = (why: string, hint: string): void =>
    report(faults.prose(at, `${kind} ${name}`, `has the EntitySetPath ${entitySetPath}, ${why} (CSDL 4.01, 12.6)`, hint));
  const [start, ...rest] = entitySetPath.split('/');
  if (!isBound || binding === undefined) return wrong('but is not bound', 'Remove it.');
  if (start !== binding.name)
    return wrong(`which does not start with the binding parameter ${binding.name}`, `Begin it with ${binding.name}.`);
  let owner = scope.qualify(binding.type);
  for (const segment of rest) {
    const known = structuresOf(owner, scope);
    if (known.length === 0) return;
    const found = known.flatMap(({ properties }) => properties).find((property) => property.name === segment);
    if (!segment.includes('.') && found === undefined) return wrong(`but ${owner} has no ${segment}`, 'Correct the path.');
    owner = scope.qualify(segment.includes('.') ? segment : (found?.type ?? ''));
  }
}

function checkClosed({ at, name, closed }: StructuredType, bases: readonly StructuredType[], report: Report): void {
  const open = bases.find(({ openType }) => openType);
  const why = `has OpenType="false", but derives from ${open?.name}, which is open (CSDL 4.01, 6.3 and 9.3)`;
  if (closed && open) report(faults.prose(at, name, why, 'Remove OpenType: the type is open too.'));
}

/** Facets, with their names in CSDL. */
const facets = [
  ['maxLength', 'MaxLength'],
  ['precision', 'Precision'],
  ['scale', 'Scale'],
  ['srid', 'SRID'],
  ['unicode', 'Unicode'],
] as const;

function checkFacets(property: Property, { name }: StructuredType, scope: Scope, report: Report): void {
  const definition = definitionOf(scope.qualify(property.type), scope);
  const twice = facets.filter(([facet]) => property[facet] !== undefined && definition?.[facet] !== undefined);
  const why = `repeats ${twice.map(([, written]) => written).join(' and ')} of ${definition?.name} (CSDL 4.01, 11.1)`;
  if (twice.length > 0) report(faults.prose(property.at, `${name}/${property.name}`, why, 'Declare it in the type definition only.'));
}

function checkNavigation(property: NavigationProperty, place: NamedStructure, report: Report): void {
  const why = 'has Nullable, but is a collection, which is never null (CSDL 4.01, 8.2)';
  if (property.collection && property.nullable !== undefined)
    report(faults.prose(property.at, `${place.type.name}/${property.name}`, why, 'Remove Nullable.'));
  checkDependents(property, place, report);
  checkWayBack(property, place, report);
}

// CSDL 4.01, 8.5: the dependent property of a required navigation property is not nullable.
function checkDependents(
  { name: navigation, collection, nullable, type: target, constraints, sharesProperty }: NavigationProperty,
  { type, line, scope }: NamedStructure,
  report: Report,
): void {
  if (collection || nullable !== false || sharesProperty) return;
  const others = structuresOf(scope.qualify(target), scope);
  for (const { at, property, referencedProperty } of constraints) {
    const [dependent, referenced] = [propertyOf(property, line), propertyOf(referencedProperty, others)];
    if (dependent?.nullable === false || dependent === undefined || referenced?.nullable !== false) continue;
    const why = `is nullable, but is a foreign key of ${navigation}, which is required (CSDL 4.01, 8.5)`;
    report(faults.prose(at, `${type.name}/${property}`, why, `Add Nullable="false" to ${property}, or remove it from ${navigation}.`));
  }
}

function propertyOf(name: string, types: readonly StructuredType[]): Property | undefined {
  return types
    .flatMap(({ properties }) => properties)
    .find((property): property is Property => property.kind === 'Property' && property.name === name);
}

function definitionOf(name: string, { definitions }: Scope): TypeDefinition | undefined {
  const definition = definitions.get(name);
  return definition?.kind === 'TypeDefinition' ? definition : undefined;
}

function typeText(reference: Operation['returnType'] | Operation['parameters'][number], { qualify }: Scope): string {
  if (reference === undefined) return '';
  return reference.collection ? `Collection(${qualify(reference.type)})` : qualify(reference.type);
}
