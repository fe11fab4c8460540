import { importsOf } from './emit-container.js';
import type { ModelGraph, OperationNode } from '../graph/model-graph.js';
import { fieldFacts, sentence } from './describe.js';
import { typeText } from './emit-operation-types.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { memoized } from '../../runtime/edm/memoized.js';

/** The actions and functions of a model for the reference, a row per overload. */
export function operationsView(graph: ModelGraph) {
  return graph.operations.flatMap((operation) =>
    pathsOf(operation, graph).map((path) => ({
      method: operation.kind === 'Action' ? 'POST' : 'GET',
      path,
      takes: operation.parameters.map((parameter) => ({ name: parameter.name, type: typeText(parameter), optional: parameter.optional })),
      answers: operation.result && typeText(operation.result),
      text: textOf(operation),
    })),
  );
}

// Bound operations follow their binding value; others are called by their imports.
function pathsOf(operation: OperationNode, graph: ModelGraph): readonly string[] {
  const { binding, qualifiedName } = operation;
  if (binding !== undefined) return [`.../${qualifiedName}${callText(operation)}`];
  return (importsByOperation(graph).get(qualifiedName) ?? []).map(({ name }) => `${name}${callText(operation)}`);
}

// The imports of a model, by the qualified name of their operation.
const importsByOperation = memoized((graph: ModelGraph) => grouped(importsOf(graph), ({ operation }) => operation));

function callText({ kind, parameters }: OperationNode): string {
  return kind === 'Action' ? '' : `(${parameters.map(({ name }) => `${name}=@${name}`).join(',')})`;
}

function textOf({ description, binding, parameters, permissions, unsupported }: OperationNode): string {
  const facts = parameters.flatMap(({ name, property, description: own }) => {
    const texts = [own, ...(property === undefined ? [] : fieldFacts(property))].filter((text) => text !== undefined && text !== '');
    return texts.length === 0 ? [] : [`${name}: ${texts.join(' ')}`];
  });
  return [
    description,
    binding && `Bound to ${typeText(binding)}.`,
    ...facts,
    permissions && `Requires the scope ${permissions.map(({ scope }) => scope).join(' or ')}.`,
    unsupported && `Not supported: it uses ${unsupported}.`,
  ]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => sentence(text ?? ''))
    .join(' ')
    .replaceAll('`', '');
}
