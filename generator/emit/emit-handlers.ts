import { ts } from './ts-morph.js';
import type { ModelGraph, OperationNode } from '../graph/model-graph.js';
import { overloadKey } from '../graph/name-operations.js';
import { renderTemplate } from './render-template.js';
import { constant, typeImport, type Emitted, valueImport } from './structures.js';
import type { Home } from './place-imports.js';
import type { OutputFile } from '../output/header.js';

/** The path of operation handlers from the generated folder. */
const places: { readonly [Name in Home]: string } = {
  project: '../extensions/operations',
  package: '../runtime/extensions/listing/operations',
};

/** The registry of handlers in the extension folder; each must match the model. */
export function emitHandlers({ operations }: ModelGraph, home: Home): Emitted {
  const rows = operations.map(({ handler }) => `  ${handler},\n`).join('');
  return [
    ...operations.map(({ handler, file }) => valueImport(`${places[home]}/${file}.js`, handler)),
    typeImport('./operation-types.js', 'Operations'),
    constant('handlers', `{\n${rows}}`, 'The handlers of all operations, with the types of the model.', 'Operations'),
  ];
}

/** The initial handler of each operation: created where missing, and the user's from then on. */
export function stubsOf({ operations }: ModelGraph, home: Home): readonly OutputFile[] {
  return operations.map((operation) => ({
    path: pathOf(operation, home),
    text: renderTemplate('operation-stub.ts.hbs', stubView(operation, home)),
    once: true,
  }));
}

/** The lock's line of each overload, by which the next run gives it the same names. */
export function handlerLines({ operations }: ModelGraph, home: Home): ReadonlyMap<string, string> {
  return new Map(
    operations.map((operation) => [overloadKey(operation), [pathOf(operation, home), operation.handler, operation.handlerType].join(' ')]),
  );
}

function pathOf({ file }: OperationNode, home: Home): string {
  return `${places[home]}/${file}.ts`;
}

function stubView({ kind, qualifiedName, handler, handlerType, binding, parameters, result }: OperationNode, home: Home): object {
  const names = [...(binding ? [binding.name] : []), ...parameters.map(({ name }) => name)].filter((name) =>
    /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name),
  );
  const bound = binding && `, bound to ${binding.collection ? 'a collection of ' : ''}${binding.type}`;
  // A reserved word cannot name a variable.
  return {
    qualifiedName,
    handler,
    handlerType,
    kind: kind.toLowerCase(),
    bound: bound ?? '',
    destructured: names.length === 0 ? '_' : `{ ${names.map((name) => (isWord(name) ? `${name}: ${name}_` : name)).join(', ')} }`,
    answers: result !== undefined,
    contract: home === 'project' ? 'gable/edm' : '../../../edm/index.js',
    types: home === 'project' ? '../../generated/operation-types.js' : '../../../../generated/operation-types.js',
  };
}

function isWord(name: string): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, true, ts.LanguageVariant.Standard, name);
  return scanner.scan() !== ts.SyntaxKind.Identifier;
}
