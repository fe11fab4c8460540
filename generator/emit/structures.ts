import { StructureKind, VariableDeclarationKind, type StatementStructures } from 'ts-morph';

/** A TypeScript file before it is printed. */
export interface Emitted {
  readonly statements: readonly StatementStructures[];
}

/** Where generated code finds the contract and Sequelize, whatever project it lies in; see `placeImports`. */
export const contract = 'gable/edm';
/** Where generated models find Sequelize, so that a project needs no version of its own. */
export const mapper = 'gable/sequelize';

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
