import { readFileSync, symlinkSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { publint } from 'publint';
import ts = require('typescript');
import { packAndInstall, root, runNode } from './packed.js';

// The published package, as seen by a project that installs it.
const packed = packAndInstall();
test.after.always(() => packed.remove());

const resolve = createRequire(import.meta.url).resolve;
const allowed: readonly RegExp[] = [
  /^dist\/(gable|serve\/[\w-]+)\.js$/,
  /^dist\/(client|generated|generator|replicate|runtime)\/.*\.js$/,
  /^dist\/client\/[\w-]+\.d\.ts$/,
  /^dist\/docs\/((sets|types)\/)?[\w.-]+\.(html|css|js|json|txt|http|odc|pq)$/,
  /^dist\/explorer\/site\/[\w-]+\.(?:css|html|js|txt)$/,
  /^dist\/generated\/(client|values)\.d\.ts$/,
  /^dist\/runtime\/(edm\/[\w-]+|database\/(instance-members|sequelize))\.d\.ts$/,
  /^dist\/generated\/(.*\/)?types\.d\.ts$/,
  /^dist\/generator\/config\/types\.d\.ts$/,
  /^generated\/[\w.]+\.(json|md|xml)$/,
  /^generated\/migrations\/(\d{4}-[\w-]+\.sql|schema\.json)$/,
  /^generator\/templates\/(portal\/)?[\w.-]+\.hbs$/,
  /^generator\/templates\/portal\/docs\.(css|js)$/,
  /^runtime\/tools\/operation\/dashboard\.json$/,
  /^model\/[\w.]+\.(md|xml)$/,
  /^(CHANGELOG|ERRORS|GROWING|KEEP-A-COPY|OPERATING|README|SETTINGS|WEBHOOKS)\.md$/,
  /^(LICENSE|package\.json)$/,
];

test('the package holds what runs or is read, and nothing else', (t) => {
  t.deepEqual(
    packed.files.filter((file) => !allowed.some((pattern) => pattern.test(file))),
    [],
  );
  t.deepEqual(
    allowed.filter((pattern) => !packed.files.some((file) => pattern.test(file))),
    [],
  );
  t.deepEqual(
    packed.files.filter((file) => /(^|\/)(test|bench|toy)\/|\.test\.js$|tsbuildinfo|\.map$/.test(file)),
    [],
  );
});

test('packed code imports packed code, Node, and what the package depends on', (t) => {
  const { dependencies } = manifest() as { readonly dependencies: object };
  const files = new Set(packed.files);
  const wrong = packed.files
    // The explorer is bundled; its own test looks at what it loads.
    .filter((file) => file.endsWith('.js') && !file.startsWith('dist/explorer/'))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => {
          if (name.startsWith('.')) return !files.has(join(dirname(file), name).split(sep).join('/'));
          return !isBuiltin(name) && !Object.hasOwn(dependencies, packageOf(name));
        })
        .map((name) => `${file} imports ${name}`),
    );
  t.deepEqual(wrong, []);
});

for (const config of ['tsconfig.json', 'tsconfig.bundler.json']) {
  test(`another project type-checks with nothing but the package: ${config}`, (t) => {
    const { code, output } = runNode(resolve('typescript/lib/tsc.js'), ['-p', config, '--noEmit', '--listFiles'], packed.consumer);
    t.is(code, 0, output);
    const read = output
      .trim()
      .split(/\r?\n/)
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !/\/lib\.[\w.]+\.d\.ts$/.test(path));
    t.true(read.some((path) => path.endsWith('/gable/dist/generated/types.d.ts')));
    // No declaration but the types themselves: nothing of the runtime, nothing of a dependency.
    t.deepEqual(
      read.filter(
        (path) =>
          !/\/gable\/dist\/generated\/(.*\/)?types\.d\.ts$|\/gable\/dist\/generator\/config\/types\.d\.ts$|\/consumer\/(accepted|refused)\.ts$/.test(
            path,
          ),
      ),
      [],
    );
  });
}

test('what must not compile fails for the reason that stands above it', (t) => {
  const text = readFileSync(join(packed.consumer, 'refused.ts'), 'utf8');
  const expected = [...text.matchAll(/@ts-expect-error (\d+):/g)].map(([, code]) => Number(code));
  const program = programOf('refused.ts', text.replaceAll('@ts-expect-error', 'refused'));
  const actual = ts.getPreEmitDiagnostics(program).map(({ code }) => code);
  t.true(expected.length >= 12);
  t.deepEqual(actual, expected);
});

test('a reader of a body sees what the model says of its properties', (t) => {
  const program = programOf('accepted.ts', readFileSync(join(packed.consumer, 'accepted.ts'), 'utf8'));
  const checker = program.getTypeChecker();
  const file = program.getSourceFiles().find(({ fileName }) => fileName.endsWith('gable/dist/generated/types.d.ts'));
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file as ts.SourceFile) as ts.Symbol);
  const undocumented = ['Property', 'PropertyCreate', 'PropertyUpdate', 'Member'].flatMap((name) => {
    const symbol = exported.find((each) => each.name === name) as ts.Symbol;
    const properties = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(symbol)).getProperties();
    t.true(properties.length > 10, name);
    return properties.filter((each) => each.getDocumentationComment(checker).length === 0).map((each) => `${name}.${each.name}`);
  });
  t.deepEqual(undocumented, []);
});

test('types are erased: the entry point exports nothing, and what was written with it does not import it', async (t) => {
  const entry = pathToFileURL(join(packed.installed, 'dist/generated/types.js')).href;
  t.deepEqual(Object.keys((await import(entry)) as object), []);
  const { code, output } = runNode(resolve('typescript/lib/tsc.js'), ['-p', '.'], packed.consumer);
  t.is(code, 0, output);
  t.notRegex(readFileSync(join(packed.consumer, 'out/accepted.js'), 'utf8'), /\bimport\b/);
});

test('publint finds nothing to mend', async (t) => {
  const bytes = readFileSync(packed.tarball);
  const { messages } = await publint({ pack: { tarball: Uint8Array.from(bytes).buffer }, strict: true });
  t.deepEqual(messages, []);
});

test('the types are right for every way in which an ES module is resolved', (t) => {
  const attw = join(dirname(resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js');
  const { code, output } = runNode(attw, [packed.tarball, '--profile', 'esm-only', '--no-definitely-typed', '--no-color'], root);
  t.is(code, 0, output);
});

test('the packed program generates what the repository holds', (t) => {
  // Dependencies come from the project, where an install would fetch them.
  symlinkSync(join(root, 'node_modules'), join(packed.installed, 'node_modules'), 'junction');
  const { code, output } = runNode('dist/gable.js', ['generate', '--output', 'again'], packed.installed);
  t.is(code, 0, output);
  for (const file of ['metadata.xml', 'metadata.json', 'property/types.ts']) {
    t.is(readFileSync(join(packed.installed, 'again', file), 'utf8'), readFileSync(join(root, 'generated', file), 'utf8'), file);
  }
  // The repository's schema came about in several migrations.
  t.deepEqual(schemaIn(join(packed.installed, 'again')), schemaIn(join(root, 'generated')));
});

function schemaIn(folder: string): unknown {
  return (JSON.parse(readFileSync(join(folder, 'migrations/schema.json'), 'utf8')) as { readonly schema: unknown }).schema;
}

// The name of the package that an import is from, without the path within it.
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

function manifest(): unknown {
  return JSON.parse(readFileSync(join(packed.installed, 'package.json'), 'utf8'));
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(packed.installed, file), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

// The consumer's file as `text`, under the consumer's own settings.
function programOf(name: string, text: string): ts.Program {
  const { config } = ts.readConfigFile(join(packed.consumer, 'tsconfig.json'), ts.sys.readFile) as { readonly config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, packed.consumer);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const path = join(packed.consumer, name).split(sep).join('/');
  host.getSourceFile = (file, target, ...rest) =>
    file === path ? ts.createSourceFile(file, text, target) : getSourceFile(file, target, ...rest);
  return ts.createProgram([path], options, host);
}
