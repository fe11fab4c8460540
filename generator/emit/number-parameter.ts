import {
  StructureKind,
  type InterfaceDeclarationStructure,
  type StatementStructures,
  type TypeAliasDeclarationStructure,
} from './ts-morph.js';
import type { ModelGraph } from '../graph/model-graph.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { emitComplexTypes } from './emit-complex.js';
import { emitTypes } from './emit-types.js';
import { numberParameter } from './property-types.js';
import type { Emitted } from './structures.js';

/** The types of a file, with the parameter of their numbers where they have some: `interface Item<Decimals = number>`. */
export function withNumbers(statements: Emitted, graph: ModelGraph): Emitted {
  return statements.map((statement) => (isDeclaration(statement) ? declared(statement, graph) : statement));
}

/** The text of a type, with the argument for each type in it that has the parameter. */
export function withArgument(text: string, argument: string, graph: ModelGraph): string {
  const names = parameterized(graph);
  return names.size === 0 ? text : text.replace(words, (word) => (names.has(word) ? `${word}<${argument}>` : word));
}

/** Type parameters of a declaration, each with its default. */
export function typeParameters(defaults: { readonly [name: string]: string }): { name: string; default: string }[] {
  return Object.entries(defaults).map(([name, value]) => ({ name, default: value }));
}

type Declaration = InterfaceDeclarationStructure | TypeAliasDeclarationStructure;

function isDeclaration(statement: StatementStructures): statement is Declaration {
  return statement.kind === StructureKind.Interface || statement.kind === StructureKind.TypeAlias;
}

function declared(declaration: Declaration, graph: ModelGraph): Declaration {
  if (!parameterized(graph).has(declaration.name)) return declaration;
  const within = (text: unknown): string => withArgument(String(text), numberParameter, graph);
  const parameters = { typeParameters: typeParameters({ [numberParameter]: 'number' }) };
  if (declaration.kind === StructureKind.TypeAlias) return { ...declaration, ...parameters, type: within(declaration.type) };
  const properties = (declaration.properties ?? []).map((property) => ({ ...property, type: within(property.type) }));
  return { ...declaration, ...parameters, extends: ((declaration.extends ?? []) as string[]).map(within), properties };
}

// A word that is a type: no text, no name of a member, and no type of which only members are used that are no numbers.
const words = /'(?:\\.|[^'\\])*'|(?<!Pick<)(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*(?![\p{ID_Continue}$]|\['|\??:)/gu;

/** The names of the types that have a decimal or 64-bit number, or another type that has one. */
const parameterized = memoized((graph: ModelGraph): ReadonlySet<string> => {
  const users = grouped(usesIn(graph), ({ used }) => used);
  const found = new Set<string>();
  const waiting = [numberParameter];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const fresh = (users.get(name) ?? []).map(({ user }) => user).filter((user) => !found.has(user));
    for (const user of fresh) found.add(user);
    waiting.push(...fresh);
  }
  return found;
});

function* usesIn(graph: ModelGraph): Generator<{ readonly user: string; readonly used: string }> {
  for (const declaration of declarations(graph))
    for (const used of new Set(textOf(declaration).match(words))) yield { user: declaration.name, used };
}

function* declarations(graph: ModelGraph): Generator<Declaration> {
  for (const entity of graph.entities) if (entity.first === undefined) yield* emitTypes(entity, graph).filter(isDeclaration);
  for (const complex of graph.complexTypes) yield* emitComplexTypes(complex, graph).filter(isDeclaration);
}

function textOf(declaration: Declaration): string {
  if (declaration.kind === StructureKind.TypeAlias) return String(declaration.type);
  return [...((declaration.extends ?? []) as string[]), ...(declaration.properties ?? []).map(({ type }) => String(type))].join(' ');
}
