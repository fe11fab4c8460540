import { StructureKind } from './ts-morph.js';
import { clientPackage, contract, mapper, type Emitted } from './structures.js';

/** The package of generated code: this one, next to the runtime, or a project that depends on it. */
export type Home = 'package' | 'project';

// Importing its own package by name would require a build for type checking.
const inPackage: { readonly [entryPoint: string]: string | undefined } = {
  [contract]: 'runtime/edm/index.js',
  [clientPackage]: 'client/index.js',
  [mapper]: 'runtime/database/sequelize.js',
};

/** Rewrites the imports of a file for its location; in a project they are the package's entry points. */
export function placeImports(path: string, statements: Emitted, home: Home): Emitted {
  if (home === 'project') return statements;
  const root = '../'.repeat(path.split('/').length);
  return statements.map((statement) => {
    if (statement.kind !== StructureKind.ImportDeclaration) return statement;
    const file = inPackage[statement.moduleSpecifier];
    return file === undefined ? statement : { ...statement, moduleSpecifier: `${root}${file}` };
  });
}
