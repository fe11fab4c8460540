import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';
import ts = require('typescript');

// Left may not import right (ARCHITECTURE.md, "Import rules"). Folders in one row may not import each other.
const layers: readonly (readonly string[])[] = [
  ['edm', 'errors', 'schema'],
  ['json', 'expression'],
  ['uri'],
  ['paging'],
  ['plan'],
  ['sql'],
  ['database'],
  ['store'],
  ['response', 'identity'],
  ['protocol'],
  ['http'],
  [
    'features/apply',
    'features/batch',
    'features/changes',
    'features/cross-set',
    'features/exports',
    'features/explain',
    'features/explorer',
    'features/full-metadata',
    'features/geo',
    'features/media-streams',
    'features/metadata-40',
    'features/openapi',
    'features/operations',
    'features/pages',
    'features/partitions',
    'features/patterns',
    'features/property-addresses',
    'features/related-writes',
    'features/repeatable-requests',
    'features/replicas',
    'features/row-filters',
    'features/search',
    'features/set-updates',
    'features/shared-limits',
  ],
  ['features/webhooks'],
  ['features'],
  ['config'],
  ['extensions/listing', 'tools/embedded', 'tools/mcp', 'tools/migrations', 'tools/samples'],
  ['tools/operation'],
  ['.'],
  ['tools/cli'],
];

// Folders whose subfolders are the layers.
const divided: ReadonlySet<string> = new Set(['features', 'extensions', 'tools']);

// Within runtime/http: left may not import right.
const httpFolders: readonly string[] = ['read', 'write'];

// Within runtime/plan: what each folder may import of the others. All may import the files above them (`.`), which declare
// plans, scopes and callers.
const planFolders: { readonly [folder: string]: readonly string[] } = {
  '.': ['path'],
  value: [],
  path: ['value'],
  check: ['value', 'path'],
  options: ['value', 'path', 'check'],
  expand: ['value', 'path', 'check', 'options'],
  read: ['value', 'path', 'check', 'options', 'expand'],
  write: ['value', 'path'],
};

// Within generator/graph: left may not import right. The files above the folders assemble the graph; those in `graphShapes`
// declare the types that all folders share.
const graphFolders: readonly string[] = ['names', 'values', 'checks', 'keys', 'types', 'sources', 'relations', 'entities', '.'];
const graphShapes = /^generator\/graph\/(model-graph|built-model|storage)\.ts$/;

// The most files that import each other in a circle, type imports included: `largestCircle`, or as listed for the folder of
// the circle. A circle may not leave its folder, except in the listed folders, where it may include subfolders.
const largestCircle = 3;
const largerCircles: { readonly [folder: string]: number } = {
  'runtime/sql': 6,
};

// A package, and the only places that may know it.
const packages: { readonly [name: string]: readonly RegExp[] } = {
  'fast-xml-parser': [/^generator\/csdl\/parse-xml\.ts$/, /^test\//],
  'ts-morph': [/^generator\/emit\/ts-morph\.ts$/, /^test\//],
  'jsonc-parser': [/^generator\/csdl\/json-tree\.ts$/, /^generator\/config\//],
  handlebars: [/^generator\/(emit|portal)\//],
  '@dagrejs/dagre': [/^generator\/portal\/diagram\.ts$/],
  diff: [/^generator\/output\/patch\.ts$/],
  express: [/^runtime\/app\.ts$/, /^runtime\/http\/(express-adapter|send-response|cors|limit-rate)\.ts$/],
  sequelize: [/^runtime\/database\/(bound-models|define-models|sequelize)\.ts$/, /^test\//],
  'sequelize-pool': [/^runtime\/database\/(connect|pool)\.ts$/],
  pg: [/^runtime\/database\/(address|connect|driver|silent-server)\.ts$/],
  pino: [/^runtime\/tools\/operation\/logger\.ts$/],
  'prom-client': [/^runtime\/tools\/operation\/(worker-)?metrics\.ts$/],
  '@opentelemetry/api': [/^runtime\/tools\/operation\/tracing\.ts$/, /^test\//],
  'express-rate-limit': [/^runtime\/http\/limit-rate\.ts$/],
  jose: [/^runtime\/identity\//, /^test\//],
  '@modelcontextprotocol/server': [/^runtime\/tools\/(mcp\/mcp|cli\/mcp)\.ts$/],
  'pg-copy-streams': [/^runtime\/database\/copy\.ts$/],
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const sources = ['client', 'explorer', 'runtime', 'generator', 'generated', 'replicate'].flatMap((folder) => sourceFiles(folder));
const imports = sources.flatMap(importsOf);

test('runtime imports point one way', (t) => {
  const wrong = imports.filter(
    ({ file, target }) => file.startsWith('runtime/') && target.startsWith('runtime/') && layerOf(target) > layerOf(file),
  );
  t.deepEqual(wrong.map(describe), []);
});

test('folders of one layer do not know each other', (t) => {
  const wrong = imports.filter(({ file, target }) => {
    if (!file.startsWith('runtime/') || !target.startsWith('runtime/')) return false;
    return (
      layerOf(file) === layerOf(target) &&
      folderOf(file) !== folderOf(target) &&
      folderOf(target) !== 'errors' &&
      folderOf(target) !== 'edm'
    );
  });
  t.deepEqual(wrong.map(describe), []);
});

test('reading knows nothing of writing', (t) => {
  const wrong = imports.filter(({ file, target }) => httpFolderOf(file) >= 0 && httpFolderOf(target) > httpFolderOf(file));
  t.deepEqual(wrong.map(describe), []);
});

test('folders of plans depend one way', (t) => {
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [planFolderOf(file), planFolderOf(target)];
    return from !== undefined && to !== undefined && from !== to && to !== '.' && !planFolders[from]?.includes(to);
  });
  t.deepEqual(wrong.map(describe), []);
  t.deepEqual([...new Set(sources.flatMap((file) => planFolderOf(file) ?? []))].sort(), Object.keys(planFolders).sort());
});

test('folders of the graph depend one way', (t) => {
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [graphFolderOf(file), graphFolderOf(target)];
    return from !== undefined && to !== undefined && !graphShapes.test(target) && graphFolders.indexOf(to) > graphFolders.indexOf(from);
  });
  t.deepEqual(wrong.map(describe), []);
  t.deepEqual([...new Set(sources.flatMap((file) => graphFolderOf(file) ?? []))].sort(), [...graphFolders].sort());
});

test('shapes of the graph are types only', (t) => {
  const values = sources.filter(
    (file) => graphShapes.test(file) && /^(?:export )?(?:function|const|class|import (?!type))/m.test(read(file)),
  );
  t.deepEqual(values, []);
});

test('circles of imports stay small and in one folder', (t) => {
  const wrong = importCircles().flatMap((circle) => {
    const folder = commonFolder(circle);
    const isInside = circle.every((file) => dirname(file) === folder);
    const allowed = largerCircles[folder] ?? (isInside ? largestCircle : 0);
    return circle.length > allowed ? [`${circle.length} files in ${folder}: ${circle.slice(0, 5).join(', ')}`] : [];
  });
  t.deepEqual(wrong, []);
});

test('runtime knows generated code only where the two are joined', (t) => {
  const served = 'runtime/extensions/listing/listing.ts';
  const joints = /^runtime\/extensions\/listing\//;
  const wrong = imports.filter(({ file, target }) => file.startsWith('runtime/') && target.startsWith('generated/') && !joints.test(file));
  const values = imports.filter(
    ({ file, target, typeOnly }) =>
      file.startsWith('runtime/extensions/') && target.startsWith('generated/') && !typeOnly && file !== served,
  );
  t.deepEqual([...wrong, ...values].map(describe), []);
});

test('the generator knows nothing of the runtime but the contract', (t) => {
  const allowed =
    /^(generator\/|runtime\/(edm|schema)\/|runtime\/errors\/(suggest|odata-error|sample-names|migration-codes)|runtime\/expression\/(parser|enum-members)|runtime\/features\/search\/parse-search|runtime\/json\/|runtime\/tools\/samples\/sample-(texts|value)\.|runtime\/tools\/cli\/(progress|make-folder)\.)/;
  // The documentation and gable explain print these tables.
  const documented = /^runtime\/(errors\/(catalogue|documentation)|expression\/(methods|operators))\./;
  const wrong = imports.filter(
    ({ file, target }) =>
      file.startsWith('generator/') &&
      /^(runtime|generated)\//.test(target) &&
      !allowed.test(target) &&
      !(/^generator\/(portal\/|explanations\.)/.test(file) && documented.test(target)),
  );
  t.deepEqual(wrong.map(describe), []);
});

test('the runtime knows the generator only where a model is tried, and a configuration read', (t) => {
  const wrong = imports.filter(
    ({ file, target }) =>
      file.startsWith('runtime/') &&
      target.startsWith('generator/') &&
      !/^runtime\/tools\/cli\/(try|dev)\.ts$/.test(file) &&
      !(file === 'runtime/tools/cli/project.ts' && target.startsWith('generator/config/')),
  );
  t.deepEqual(wrong.map(describe), []);
});

test('the client knows nothing but itself', (t) => {
  t.deepEqual(imports.filter(({ file, target }) => file.startsWith('client/') && !target.startsWith('client/')).map(describe), []);
});

test('replication knows the client, the reader of documents and the database, and nobody knows it', (t) => {
  const allowed =
    /^(replicate\/|client\/|generator\/(cli\/(fetch-within|open-service|print-diagnostics)|config\/config|generate|graph\/model-graph|model-error)\.|runtime\/(edm|schema|database)\/|runtime\/errors\/suggest\.|runtime\/tools\/cli\/(progress|until-signal|make-folder)\.)/;
  const wrong = imports.filter(({ file, target }) =>
    file.startsWith('replicate/')
      ? /^(runtime|generator|generated|client|explorer|test)\//.test(target) && !allowed.test(target)
      : target.startsWith('replicate/'),
  );
  t.deepEqual(wrong.map(describe), []);
});

test('the explorer knows what parses and plans, and the language knows no page', (t) => {
  const allowed =
    /^(explorer\/|runtime\/(edm|errors|expression|uri|plan|features\/explain|features\/explorer|features\/geo|features\/patterns|features\/search)\/|runtime\/features\/(apply\/(parse|plan)\/|operations\/plan\/|property-addresses\/plan\/|cross-set\/plan-|media-streams\/plan-stream\.)|generator\/portal\/(diagram|model-diagrams)\.)/;
  const wrong = imports.filter(
    ({ file, target }) =>
      file.startsWith('explorer/') &&
      ((target.includes('/') && /^(?:explorer|runtime|generator|generated|client|test)\//.test(target) && !allowed.test(target)) ||
        (file.startsWith('explorer/language/') && target.startsWith('explorer/page/'))),
  );
  t.deepEqual(wrong.map(describe), []);
});

test('generated code knows the contract and itself', (t) => {
  const wrong = imports.filter(
    ({ file, target }) =>
      file.startsWith('generated/') && target.startsWith('runtime/') && !/^runtime\/(edm\/|database\/sequelize\.ts$)/.test(target),
  );
  t.deepEqual(wrong.map(describe), []);
});

test('features register in at most twelve tables', (t) => {
  const tables = sources.filter(
    (file) => /^runtime\/(?!features\/)/.test(file) && /= createHooks<|^export function register[A-Z]/m.test(read(file)),
  );
  t.true(tables.length <= 12, tables.join(', '));
});

test('a package is known in its own place only', (t) => {
  const wrong = imports.filter(({ file, target }) => {
    const places = Object.hasOwn(packages, target) ? packages[target] : undefined;
    return places !== undefined && !places.some((place) => place.test(file));
  });
  t.deepEqual(wrong.map(describe), []);
});

test('Sequelize is loaded when a model is first used', (t) => {
  const loading = imports.filter(({ target, typeOnly }) => !typeOnly && ['sequelize', 'runtime/database/sequelize.ts'].includes(target));
  // What projects import, and nobody here.
  t.deepEqual([...new Set(loading.map(describe))], ['runtime/database/sequelize.ts imports sequelize']);
});

const longestFile = 300;
const longestFunction = 40;

test('files and functions stay readable', (t) => {
  const written = sources.filter((file) => !file.startsWith('generated/'));
  const files = written.filter((file) => linesOf(file) > longestFile);
  const functions = written.filter((file) => linesOf(file) > longestFunction).flatMap(longFunctions);
  t.deepEqual([...files, ...functions], []);
});

test('what a file offers to others is described', (t) => {
  const written = sources.filter((file) => !file.startsWith('generated/'));
  // A declaration without the end of a doc comment in the line above it.
  const bare = written.flatMap((file) =>
    [...read(file).matchAll(/(?<!\*\/\n)^export (?:abstract |async )?(?:function|const|class|interface|type) (\w+)/gm)].map(
      ([, name]) => `${file}: ${name}`,
    ),
  );
  t.deepEqual(bare, []);
});

function sourceFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
}

function linesOf(file: string): number {
  return read(file).split('\n').length;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function importsOf(file: string): readonly Import[] {
  // The last form is an import where it is needed only.
  const statement = /^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)';|^import\s+()'([^']+)';|\bimport\('([^']+)'\)/gm;
  return [...read(file).matchAll(statement)].map(([, type, from, , bare, late]) => {
    const name = from ?? bare ?? late ?? '';
    return {
      file,
      target: name.startsWith('.') ? normalize(join(dirname(file), name)).replace(/\.js$/, '.ts') : name,
      typeOnly: type !== undefined,
    };
  });
}

function folderOf(file: string): string {
  const [, folder = '', inner = '', ...rest] = file.split('/');
  if (inner === '') return '.';
  return divided.has(folder) && rest.length > 0 ? `${folder}/${inner}` : folder;
}

function httpFolderOf(file: string): number {
  return httpFolders.indexOf(/^runtime\/http\/([a-z]+)\//.exec(file)?.[1] ?? '');
}

function planFolderOf(file: string): string | undefined {
  const [, folder] = /^runtime\/plan\/(?:([a-z]+)\/)?[^/]+$/.exec(file) ?? [];
  return file.startsWith('runtime/plan/') ? (folder ?? '.') : undefined;
}

function graphFolderOf(file: string): string | undefined {
  const [, folder] = /^generator\/graph\/(?:([a-z]+)\/)?[^/]+$/.exec(file) ?? [];
  return file.startsWith('generator/graph/') ? (folder ?? '.') : undefined;
}

// Tarjan's strongly connected components, of more than one file.
function importCircles(): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const lower = (file: string, to = Infinity): unknown => lowest.set(file, Math.min(lowest.get(file) ?? Infinity, to));
  const visit = (file: string): void => {
    order.set(file, order.size);
    lower(file, order.get(file));
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lower(file, lowest.get(target));
    }
    if (lowest.get(file) === order.get(file)) circles.push(stack.splice(stack.indexOf(file)));
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles.filter((circle) => circle.length > 1 && !circle[0]?.startsWith('generated/'));
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (!files.every((file) => file.startsWith(`${folder}/`))) folder = dirname(folder);
  return folder;
}

function layerOf(file: string): number {
  const layer = layers.findIndex((folders) => folders.includes(folderOf(file)));
  if (layer < 0) throw new Error(`${file} is in no layer; add its folder to the table.`);
  return layer;
}

function describe({ file, target }: Import): string {
  return `${file} imports ${target}`;
}

function longFunctions(file: string): readonly string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2022);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  // A node contains no function that is longer than itself.
  const visit = (node: ts.Node): void => {
    const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
    if (lines <= longestFunction) return;
    if (ts.isFunctionLike(node)) found.push(`${file}: a function of ${lines} lines`);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}
