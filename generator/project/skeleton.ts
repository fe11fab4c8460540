import type { OutputFile } from '../output/header.js';
import type { ModelGraph } from '../graph/model-graph.js';
import { renderTemplate } from '../emit/render-template.js';
import type { Mode } from '../config/types.js';

/** The facts that the files of a new project contain. */
interface ProjectFacts {
  readonly name: string;
  /** The path of the model from the project's folder. */
  readonly model: string;
  readonly mode: Mode;
  /** The version of this package in the manifest, or the path of its tarball. */
  readonly dependency: string;
  readonly graph: ModelGraph;
}

/** The files of a new project apart from the model and generated code; the user edits them from then on. */
export function projectSkeleton(facts: ProjectFacts): readonly OutputFile[] {
  const [first] = facts.graph.entities;
  const view = {
    ...facts,
    isLenient: facts.mode === 'lenient',
    firstSet: facts.graph.entities.find(({ entitySet }) => entitySet !== undefined)?.entitySet,
    sets: facts.graph.entities.flatMap(({ entitySet }) => entitySet ?? []),
    firstType: first?.typeName,
    operations: facts.graph.operations.length > 0,
    example: facts.graph.operations[0],
  };
  return [
    { path: 'package.json', text: json(manifestOf(facts)) },
    { path: 'tsconfig.json', text: json(tsconfig) },
    { path: '.gitignore', text: 'node_modules\ndist/\n.gable/\n' },
    { path: 'gable.config.ts', text: renderTemplate('project-config.ts.hbs', view) },
    { path: 'extensions/index.ts', text: renderTemplate('project-extensions.ts.hbs', view) },
    { path: 'test/model.test.ts', text: renderTemplate('project-test.ts.hbs', view) },
    { path: 'README.md', text: renderTemplate('project-readme.md.hbs', view) },
    { path: 'requests.http', text: renderTemplate('project-requests.http.hbs', view) },
    { path: 'Dockerfile', text: renderTemplate('project-dockerfile.hbs', view) },
    { path: '.dockerignore', text: renderTemplate('project-dockerignore.hbs', view) },
    { path: 'compose.yaml', text: renderTemplate('project-compose.yaml.hbs', view) },
    { path: '.github/workflows/ci.yml', text: renderTemplate('project-workflow.yml.hbs', view) },
  ];
}

// The versions that this package itself is compiled with.
function manifestOf({ name, dependency }: ProjectFacts): object {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      generate: 'gable generate',
      build: 'tsc -p . && gable docs',
      prestart: `node -e "console.error('Compiling...')" && npm run build`,
      start: 'gable start',
      test: 'npm run build && gable generate --check && node --test dist/test/*.test.js',
    },
    dependencies: { gable: dependency },
    devDependencies: { '@types/node': '20.19.25', typescript: '7.0.2' },
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib: ['ES2023'],
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    resolveJsonModule: true,
    skipLibCheck: true,
  },
  include: ['extensions', 'generated', 'generated/.lock.json', 'test'],
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
