import type { Operation } from '../csdl/csdl.js';
import { makeElement, type Element, type SurfaceContext } from './element.js';
import { facetsOf, typeName } from './surface-type.js';

const optionalParameter = 'Org.OData.Core.V1.OptionalParameter';

/** An action or a function and its parameters; overloads are told apart by what is bound, and functions by their parameters too. */
export function elementsOfOperation(operation: Operation, namespace: string, context: SurfaceContext): readonly Element[] {
  const path = `${namespace}.${operation.name}${overloadOf(operation, context)}`;
  const { returnType } = operation;
  const own = makeElement(operation.kind, undefined, operation, path, {
    returnType: returnType === undefined ? undefined : `${typeName(returnType, context)}${returnType.nullable === false ? '' : ' or null'}`,
    isComposable: operation.isComposable,
    entitySetPath: operation.entitySetPath,
  }, context.notesOf(path, operation));
  const parameters = operation.parameters.map((parameter, index) => {
    const notes = context.notesOf(`${path}/${parameter.name}`, parameter);
    return makeElement('Parameter', path, parameter, `${path}/${parameter.name}`, {
      type: typeName(parameter, context),
      nullable: parameter.nullable !== false,
      ...facetsOf(parameter),
      optional: notes.value(optionalParameter) !== undefined,
      position: operation.kind === 'Function' ? undefined : index,
    }, notes);
  });
  return [own, ...parameters];
}

// CSDL XML 4.01, 12.1 and 12.2: a bound operation is overloaded by the type of its first parameter.
function overloadOf({ isBound, parameters }: Operation, context: SurfaceContext): string {
  const [binding] = parameters;
  return isBound && binding !== undefined ? `(${typeName(binding, context)})` : '()';
}
