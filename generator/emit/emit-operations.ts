import type { ModelGraph, OperationNode, ParameterNode, ValueNode } from '../graph/model-graph.js';
import { enumerationImports, fieldLiteral } from './emit-fields.js';
import { printLiteral, printKey, type LiteralObject } from './print-literal.js';
import { constant, contract, typeImport, type Emitted } from './structures.js';

/** The table of operations, with one line per overload. */
export function emitOperations({ operations }: ModelGraph): Emitted {
  const names = [...new Set(operations.map(({ qualifiedName }) => qualifiedName))];
  const rows = names.map((name) => {
    const overloads = operations
      .filter(({ qualifiedName }) => qualifiedName === name)
      .map((operation) => `    ${printLiteral(rowOf(operation))},\n`);
    return `  ${printKey(name)}: [\n${overloads.join('')}  ],\n`;
  });
  const values = operations.flatMap(({ binding, parameters, result }) => [binding ?? [], parameters, result ?? []].flat());
  const properties = values.flatMap(({ property }) => property ?? []);
  return [
    typeImport(contract, 'OperationTable'),
    ...enumerationImports(properties, './enumerations.js'),
    constant('operations', `{\n${rows.join('')}}`, 'Every overload of every action and function, by qualified name.', 'OperationTable'),
  ];
}

function rowOf(operation: OperationNode): LiteralObject {
  const { kind, qualifiedName: name, handler, binding, parameters, result, composable, permissions, unsupported } = operation;
  return {
    kind,
    name,
    handler,
    ...(binding && { binding: parameterOf(binding) }),
    parameters: parameters.map(parameterOf),
    ...(result && { result: valueOf(result) }),
    ...(composable && { composable }),
    ...(permissions && { permissions: permissions.map(({ scope, except }) => ({ scope, except })) }),
    ...(unsupported !== undefined && { unsupported }),
  };
}

function parameterOf(parameter: ParameterNode): LiteralObject {
  return { name: parameter.name, ...valueOf(parameter), ...(parameter.optional && { optional: true }) };
}

function valueOf({ type, collection, nullable, property }: ValueNode): LiteralObject {
  return { type, ...(collection && { collection }), ...(nullable && { nullable }), ...(property && { field: fieldLiteral(property) }) };
}
