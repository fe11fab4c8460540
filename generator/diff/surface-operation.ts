import type { Operation } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { signatureOf } from '../graph/names/scope.js';
import { makeElement, type Element, type Facts, type SurfaceContext } from './element.js';
import type { Notes } from './notes.js';
import { permissionsOf } from './surface-container.js';
import { facetsOf, typeName } from './surface-type.js';

type Parameter = Operation['parameters'][number];

/**
 * An action or a function with its parameters; overloads differ by binding type, functions also by their parameters.
 */
export function elementsOfOperation(operation: Operation, namespace: string, context: SurfaceContext): readonly Element[] {
  const name = `${namespace}.${operation.name}`;
  const path = `${name}${identityOf(operation, context)}`;
  const targets = [`${name}${signatureOf(operation, context.scope.qualify)}`, name];
  const notes = context.notesOf(operation, ...targets);
  const { returnType } = operation;
  const facts: Facts = {
    returnType: returnType && `${typeName(returnType, context)}${isNullable(returnType) ? ' or null' : ''}`,
    isComposable: operation.isComposable,
    resultSet: operation.entitySetPath,
    binding: overloadOf(operation, context),
    'call permissions': permissionsOf('call', notes.member(terms.operation, 'Permissions')),
  };
  const parameters = operation.parameters.map((parameter, index) => {
    const own = context.notesOf(parameter, ...targets.map((target) => `${target}/${parameter.name}`));
    const given = factsOf(operation.kind, parameter, index, own, context);
    return makeElement('Parameter', path, parameter, `${path}/${parameter.name}`, given, own);
  });
  return [makeElement(operation.kind, undefined, operation, path, facts, notes), ...parameters];
}

function factsOf(kind: Operation['kind'], parameter: Parameter, index: number, notes: Notes, context: SurfaceContext): Facts {
  return {
    type: typeName(parameter, context),
    nullable: isNullable(parameter),
    ...facetsOf(parameter, parameter.type),
    // An omitted parameter of an action is null (protocol 4.01, 11.5.5.1).
    optional: notes.value(terms.optionalParameter) !== undefined || (kind === 'Action' && !parameter.collection && isNullable(parameter)),
    position: kind === 'Function' ? undefined : index,
  };
}

// Nullable of a collection applies to its items, and has no default (CSDL XML 4.01, 12.8 and 12.9).
function isNullable({ collection, nullable, type }: Pick<Parameter, 'collection' | 'nullable' | 'type'>): boolean {
  return nullable ?? (!collection || type === 'Edm.Untyped');
}

// A bound operation is overloaded by the type of its first parameter, a function also by the names of the others (CSDL
// XML 4.01, 12.1 and 12.2).
function identityOf(operation: Operation, context: SurfaceContext): string {
  const names = operation.kind === 'Action' ? [] : operation.parameters.slice(operation.isBound ? 1 : 0).map(({ name }) => name);
  return `(${[overloadOf(operation, context), ...names.sort()].filter((part) => part !== '').join(',')})`;
}

function overloadOf({ isBound, parameters }: Operation, context: SurfaceContext): string {
  const [binding] = parameters;
  return isBound && binding !== undefined ? typeName(binding, context) : '';
}
