import {
  StructureKind,
  VariableDeclarationKind,
  type InterfaceDeclarationStructure,
  type StatementStructures,
  type TypeAliasDeclarationStructure,
} from './ts-morph.js';

/** The statements of a TypeScript file before printing. */
export type Emitted = readonly StatementStructures[];

/** The import path of the contract, for any project; see `placeImports`. */
export const contract = 'gable/edm';
/** The import path of Sequelize, so that a project needs no separate version. */
export const mapper = 'gable/sequelize';

/** The import path of the client. */
export const clientPackage = 'gable/client';

/** The names that occur as words in the printed texts, other than as a text in quotes. */
export function typeNamesIn(body: readonly StatementStructures[], names: readonly string[]): readonly string[] {
  const words = new Set(JSON.stringify(body).match(/(?<!['\p{ID_Continue}$])[\p{ID_Continue}$]+(?!['\p{ID_Continue}$])/gu));
  return names.filter((name) => words.has(name));
}

/** `import type { names } from from;` */
export function typeImport(from: string, ...names: readonly string[]): StatementStructures {
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier: from, isTypeOnly: true, namedImports: [...names] };
}

/** `import { names } from from;` */
export function valueImport(from: string, ...names: readonly string[]): StatementStructures {
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier: from, namedImports: [...names] };
}

/** One exported constant with its doc comment. */
export function constant(name: string, initializer: string, doc: string, type?: string): StatementStructures {
  const declaration = type === undefined ? { name, initializer } : { name, type, initializer };
  return {
    kind: StructureKind.VariableStatement,
    isExported: true,
    declarationKind: VariableDeclarationKind.Const,
    declarations: [declaration],
    docs: [doc],
  };
}

/** An exported interface. */
export function exportedInterface(
  name: string,
  docs: string[],
  parts: Omit<InterfaceDeclarationStructure, 'kind' | 'name'>,
): InterfaceDeclarationStructure {
  return { kind: StructureKind.Interface, isExported: true, name, docs, ...parts };
}

/** An exported type alias. */
export function exportedType(name: string, docs: string[], type: string): TypeAliasDeclarationStructure {
  return { kind: StructureKind.TypeAlias, isExported: true, name, docs, type };
}
