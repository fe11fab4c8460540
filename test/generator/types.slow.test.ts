// Runs every night: the compiler over all cases.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import test from 'ava';
import ts = require('typescript');
import { Sequelize } from 'sequelize';
import { instanceMembers } from '../../runtime/database/instance-members.js';
import type { OutputFile } from '../../generator/output/header.js';
import { emitReference } from '../../generator/emit/emit-reference.js';
import { emitPortal } from '../../generator/portal/emit-portal.js';
import { generate } from '../../generator/generate.js';
import { generateCase } from './cases.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// Type checks the generated files of a case as if they were next to the runtime, with the project's strict settings.
function typeErrors(files: readonly OutputFile[]): readonly string[] {
  const sources = new Map(files.filter(({ path }) => path.endsWith('.ts')).map(({ path, text }) => [join(root, 'virtual', path), text]));
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, noEmit: true, incremental: false, tsBuildInfoFile: null },
    root,
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.directoryExists = (folder) =>
    [...sources.keys()].some((path) => path.startsWith(join(folder, '/'))) || directoryExists?.(folder) === true;
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.getSourceFile = (path, version) =>
    sources.has(path) ? parse(path, host, version) : (parsed.get(path) ?? keep(path, host, version));
  const program = ts.createProgram([...sources.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

// Files that are not generated are parsed once for all cases.
const parsed = new Map<string, ts.SourceFile | undefined>();

function keep(...[path, host, version]: Parameters<typeof parse>): ts.SourceFile | undefined {
  return parsed.set(path, parse(path, host, version)).get(path);
}

function parse(path: string, host: ts.CompilerHost, version: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
  const text = host.readFile(path);
  return text === undefined ? undefined : ts.createSourceFile(path, text, version);
}

test('awkward names, hostile text, composite keys, enumerations and derived types type-check under the strict settings', (t) => {
  for (const name of ['awkward-names', 'hostile-text', 'composite-and-aliases', 'enumerations', 'complex', 'open', 'inheritance'])
    t.deepEqual(typeErrors(generateCase(name)), [], name);
});

test('a create refers to the entities that it needs, and the documentation names them', (t) => {
  const model = 'test/types/loans.xml';
  const generated = generate({ path: model, bytes: readFileSync(model) });
  const files = generated.files.filter(({ path }) => !path.startsWith('..'));
  const uses = { path: 'uses.ts', text: readFileSync('test/types/loans.txt', 'utf8') };
  t.deepEqual(typeErrors([...files, uses]), []);
  const loans = emitReference(generated.graph).entities.find(({ set }) => set === 'Loans');
  t.deepEqual(loans?.rules[0], { rule: 'Required on create', names: ['Number', 'Reader'] });
  const fines = emitReference(generated.graph).entities.find(({ set }) => set === 'Fines');
  t.deepEqual(
    fines?.operations.filter(({ method }) => method === 'POST').map(({ path }) => path),
    ['/Loans({key})/Fines'],
  );
  const requests = emitPortal(generated.graph).find(({ path }) => path === 'requests.http')?.text ?? '';
  t.regex(requests, /\{"Number":9001,"Reader@odata.bind":"Readers\(1\)"\}/);
});

test('the type check sees a wrong table', (t) => {
  const files = generateCase('hostile-text').map(({ path, text }) => ({
    path,
    text: text.replace("type: 'Edm.String'", "type: 'Edm.Strin'"),
  }));
  t.regex(typeErrors(files).join('\n'), /Edm\.Strin/);
});

test('every member of a Sequelize instance is known, so that no attribute hides one', (t) => {
  const sequelize = new Sequelize({ dialect: 'postgres' });
  const instance: object = sequelize.define('Probe', {}).build() as object;
  const members = new Set<string>(Object.getOwnPropertyNames(instance));
  for (let level: unknown = Object.getPrototypeOf(instance); level !== null && level !== undefined; level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) members.add(name);
  }
  // The attributes that Sequelize adds to a model without a key; ours has a key, and no timestamps.
  const attributes = new Set(['id', 'createdAt', 'updatedAt']);
  t.deepEqual(
    [...members].filter((name) => !(instanceMembers as readonly string[]).includes(name) && !attributes.has(name)),
    [],
  );
});
