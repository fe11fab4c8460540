import { grouped } from '../../runtime/edm/grouped.js';
import { localName } from '../../runtime/edm/lookup.js';
import { words } from '../csdl/elements.js';
import type { OperationNode } from './model-graph.js';
import { constantPrefix, cutBytes, folderName, typeIdentifier } from './names/names.js';
import { signatureOf } from './names/scope.js';

/** The names of an overload that its handler, written by hand, depends on: its file, its constant, and the start of its types. */
export interface OperationNames {
  readonly file: string;
  readonly handler: string;
  readonly type: string;
}

/** The names that the last run gave to overloads, by kind and signature. */
export type FormerOperations = ReadonlyMap<string, OperationNames>;

/** An overload before names are given in generated code. */
export type BuiltOperation = Omit<OperationNode, 'handler' | 'file' | 'handlerType' | 'callType'>;

/**
 * Gives each overload a handler, a file and types. An overload keeps the names that it has had; of new ones the first of
 * a name has the short ones. Names of an overload that the model lost are not given to another in the same run.
 */
export function nameOperations(
  operations: readonly BuiltOperation[],
  typeNames: readonly string[],
  former: FormerOperations,
): readonly OperationNode[] {
  const types = new Set([...typeNames, ...contractNames]);
  const kept = new Map([...keptNames(operations, former)].filter(([, { type }]) => !isTypeTaken(type, types)));
  const files = new Set([...former.values()].map(({ file }) => file));
  const handlers = new Set([...former.values()].map(({ handler }) => handler));
  for (const { type } of former.values()) takeType(type, types);
  return operations.map((operation) => {
    const { file, handler, type } = kept.get(operation) ?? newNames(operation, { types, files, handlers });
    return { ...operation, handler, file, handlerType: `${type}Handler`, callType: `${type}Call` };
  });
}

/** The kind, name and signature of an overload. */
export function overloadKey({ kind, qualifiedName, binding, parameters }: Omit<BuiltOperation, 'permissions'>): string {
  const signed = { kind, isBound: binding !== undefined, parameters: [...(binding ? [binding] : []), ...parameters] };
  return `${kind} ${qualifiedName}${signatureOf(signed, (name) => name)}`;
}

/** The former names of overloads: matched by the whole key first, then by parts of it that one overload has in each model. */
function keptNames(operations: readonly BuiltOperation[], former: FormerOperations): ReadonlyMap<BuiltOperation, OperationNames> {
  const kept = new Map<BuiltOperation, OperationNames>();
  const gone = new Map(former);
  for (const likeness of likenesses) {
    const present = onlyOnes(
      operations.filter((operation) => !kept.has(operation)),
      (operation) => likeness(overloadKey(operation)),
    );
    for (const [like, key] of onlyOnes([...gone.keys()], likeness)) {
      const [operation, names] = [present.get(like), former.get(key)];
      if (operation === undefined || names === undefined) continue;
      kept.set(operation, names);
      gone.delete(key);
    }
  }
  return kept;
}

/** The likenesses of overloads, the closest first. */
const likenesses: readonly ((key: string) => string)[] = [
  (key) => key,
  // In another namespace, or with types of another one.
  withoutNamespaces,
  // With another signature.
  (key) => withoutNamespaces(key).replace(/\(.*/s, ''),
];

function withoutNamespaces(key: string): string {
  return key.replace(/[^ (),]+/g, localName);
}

// The items that share their key with no other one, by key.
function onlyOnes<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item> {
  const groups = [...grouped(items, keyOf)];
  return new Map(groups.flatMap(([key, same]) => (same.length > 1 ? [] : same.map((item) => [key, item] as const))));
}

interface Taken {
  readonly types: Set<string>;
  readonly files: Set<string>;
  readonly handlers: Set<string>;
}

function newNames(operation: BuiltOperation, { types, files, handlers }: Taken): OperationNames {
  const type = freeName(operation, types);
  takeType(type, types);
  const file = folderName(cutBytes(type, longestFile), files);
  files.add(file);
  const handler = typeIdentifier(constantPrefix(type), handlers);
  handlers.add(handler);
  return { file, handler, type };
}

function takeType(type: string, taken: Set<string>): void {
  for (const name of [`${type}Handler`, `${type}Call`]) taken.add(name);
}

function isTypeTaken(type: string, taken: ReadonlySet<string>): boolean {
  return taken.has(`${type}Handler`) || taken.has(`${type}Call`);
}

/** The limit of file systems, with space for an extension and a number. */
const longestFile = 120;

/** The types of the contract that the generated types of handlers use. */
export const handlerContract = words(
  'ActionHandler BoundCollection CollectionAnswer FunctionHandler RecordAnswer RecordArgument SetTypes StreamAnswer',
);

// Other names that a generated types file imports or declares.
const contractNames = ['Operations', 'Sets', ...handlerContract];

function freeName(operation: BuiltOperation, taken: ReadonlySet<string>): string {
  const candidates = candidatesOf(operation);
  const free = candidates.find((name) => !isTypeTaken(name, taken));
  if (free !== undefined) return free;
  const last = candidates.at(-1) ?? '';
  let number = 2;
  while (isTypeTaken(`${last}_${number}`, taken)) number++;
  return `${last}_${number}`;
}

// Its name, its binding type, and the parameters of a function.
function candidatesOf({ qualifiedName, binding, parameters }: BuiltOperation): readonly string[] {
  const name = pascal(localName(qualifiedName));
  const bound = binding === undefined ? name : `${name}On${pascal(localName(binding.type))}${binding.collection ? 'Collection' : ''}`;
  const by =
    parameters.length === 0 ? `${bound}ByNothing` : `${bound}By${parameters.map((parameter) => pascal(parameter.name)).join('And')}`;
  return [name, bound, by].map((candidate) => typeIdentifier(cutBytes(candidate, longestFile), new Set()));
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
