import { StructureKind } from 'ts-morph';
import { contract, mapper, type Emitted } from './structures.js';

/** Whose code is generated: the package's own, which lies beside the runtime, or that of a project that has the package. */
export type Home = 'package' | 'project';

/** The imports of a file as they are written where it lies; in a project they are the package's entry points. */
export function placeImports(path: string, { statements }: Emitted, home: Home): Emitted {
  if (home === 'project') return { statements };
  // A package that imports itself by name would need its own build to be type-checked.
  const places = new Map([
    [contract, `${'../'.repeat(path.split('/').length)}runtime/edm/index.js`],
    [mapper, 'sequelize'],
  ]);
  return {
    statements: statements.map((statement) =>
      statement.kind === StructureKind.ImportDeclaration
        ? { ...statement, moduleSpecifier: places.get(statement.moduleSpecifier) ?? statement.moduleSpecifier }
        : statement,
    ),
  };
}
