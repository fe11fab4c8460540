import { StructureKind, type ImportDeclarationStructure } from './ts-morph.js';
import { clientPackage, contract, mapper, type Emitted } from './structures.js';

/** The package of generated code: this one, next to the runtime, or a project that depends on it. */
export type Home = 'package' | 'project';

/** Rewrites the imports of a file for its location; in a project they are the package's entry points. */
export function placeImports(path: string, { statements }: Emitted, home: Home): Emitted {
  if (home === 'project') return { statements };
  // Importing its own package by name would require a build for type checking.
  const root = '../'.repeat(path.split('/').length);
  const runtime = `${root}runtime`;
  const placed = ({ moduleSpecifier }: ImportDeclarationStructure): string => {
    if (moduleSpecifier === contract) return `${runtime}/edm/index.js`;
    if (moduleSpecifier === clientPackage) return `${root}client/index.js`;
    if (moduleSpecifier === mapper) return `${runtime}/database/sequelize.js`;
    return moduleSpecifier;
  };
  return {
    statements: statements.map((statement) =>
      statement.kind === StructureKind.ImportDeclaration ? { ...statement, moduleSpecifier: placed(statement) } : statement,
    ),
  };
}
