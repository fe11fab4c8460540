import type { BuiltOperation, KnownTypes } from './build-operations.js';
import type { OperationNode, ValueNode } from './model-graph.js';
import { constantPrefix, cutBytes, folderName, typeIdentifier } from './names.js';

/**
 * Assigns each overload a handler, a file and types. The first overload of a name has the short ones, so that an
 * overload added after it renames no written code.
 */
export function allocateOperationNames(operations: readonly BuiltOperation[], types: KnownTypes): readonly OperationNode[] {
  const taken = new Set([...typeNamesOf(types), ...contractNames]);
  const files = new Set<string>();
  const handlers = new Set<string>();
  return operations.map((operation) => {
    const type = freeName(operation, taken);
    const [handlerType, callType] = [`${type}Handler`, `${type}Call`];
    for (const name of [handlerType, callType]) taken.add(name);
    const file = folderName(cutBytes(type, longestFile), files);
    files.add(file);
    const handler = typeIdentifier(constantPrefix(type), handlers);
    handlers.add(handler);
    return { ...operation, handler, file, handlerType, callType };
  });
}

/** The limit of file systems, with space for an extension and a number. */
const longestFile = 120;

// Other names that a generated types file imports or declares.
const contractNames = [
  'Operations',
  'Sets',
  'ActionHandler',
  'FunctionHandler',
  'BoundCollection',
  'CollectionAnswer',
  'RecordAnswer',
  'RecordArgument',
  'SetTypes',
  'StreamAnswer',
];

function typeNamesOf({ entities, complexTypes, enumerations }: KnownTypes): readonly string[] {
  const derived = [...entities, ...complexTypes].flatMap(({ typeName, derived: names }) => [
    typeName,
    ...Object.values<string>({ ...names }),
  ]);
  return [...derived, ...[...enumerations.values()].map(({ typeName }) => typeName)];
}

function freeName(operation: BuiltOperation, taken: ReadonlySet<string>): string {
  const isTaken = (name: string): boolean => taken.has(`${name}Handler`) || taken.has(`${name}Call`);
  const candidates = candidatesOf(operation);
  const free = candidates.find((name) => !isTaken(name));
  if (free !== undefined) return free;
  const last = candidates.at(-1) ?? '';
  let number = 2;
  while (isTaken(`${last}_${number}`)) number++;
  return `${last}_${number}`;
}

// Its name, its binding type, and the parameters of a function.
function candidatesOf({ qualifiedName, binding, parameters }: BuiltOperation): readonly string[] {
  const name = pascal(shortName(qualifiedName));
  const bound = binding === undefined ? name : `${name}On${pascal(shortName(binding.type))}${binding.collection ? 'Collection' : ''}`;
  const by =
    parameters.length === 0 ? `${bound}ByNothing` : `${bound}By${parameters.map((parameter) => pascal(parameter.name)).join('And')}`;
  return [name, bound, by].map((candidate) => typeIdentifier(cutBytes(candidate, longestFile), new Set()));
}

function shortName(qualifiedName: ValueNode['type']): string {
  return qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
