// Runs every night: the compiler over models as large as the data dictionary.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import ts = require('typescript');
import { readModel } from '../../generator/generate.js';
import { typedProject, wideModel, type TypedProject } from './wide-model.js';

// WIDE_MODEL is the path of a document to measure instead, such as that of RESO's data dictionary.
const path = process.env['WIDE_MODEL'];
const document = path === undefined ? wideModel() : readFileSync(path, 'utf8');
const { graph } = readModel({ path: 'wide.xml', bytes: Buffer.from(document) }, { policy: { mode: 'lenient', choices: {} } });
const sets = graph.entities.filter(({ entitySet }) => entitySet !== undefined);
const header = `import { createClient } from 'gable/client';\nimport { service } from './client.js';\nconst api = createClient(service, { baseUrl: 'x' });\nvoid api;\n`;

// Three queries on every set, with select, expand, filter and orderby.
const queries = sets.flatMap(({ entitySet, fields, navigation }) => {
  const [key = '', first = key, second = first] = fields.filter(({ field }) => !field.collection).map(({ name }) => name);
  const expand = (one: string): string => (navigation[0] === undefined ? '' : `, expand: { ${navigation[0].name}: ${one} }`);
  return [
    `api.${entitySet}.find({ select: ['${key}', '${first}'], filter: (p) => p.${first}.eq(null as never), orderby: ['${second} desc'] })`,
    `api.${entitySet}.find({ select: ['${first}']${expand('true')}, filter: (p) => p.${second}.ne(null as never) })`,
    `api.${entitySet}.find({ select: ['${first}', '${second}']${expand('{ top: 1 }')}, orderby: ['${first}', '${second} desc'] })`,
  ];
});

function check({ options, host, paths }: TypedProject): ts.Program {
  const program = ts.createProgram([...paths], options, host);
  const [fault] = ts.getPreEmitDiagnostics(program);
  if (fault) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, ' '));
  return program;
}

test('queries of a model as large as the data dictionary cost the compiler little', (t) => {
  const bare = check(typedProject(document, { 'uses.ts': header })).getInstantiationCount();
  const lines = queries.map((query, index) => `const q${index} = ${query};\nfor await (const one of q${index}) void one;`);
  const all = check(typedProject(document, { 'uses.ts': header + lines.join('\n') })).getInstantiationCount();
  t.log(`${all} instantiations, ${Math.round((all - bare) / queries.length)} a query`);
  t.true(all <= 100_000);
  t.true((all - bare) / queries.length <= 700);
});

test('completion in a query takes no longer than a tenth of a second after the first', (t) => {
  const widest = sets.reduce((most, set) => (set.fields.length > most.fields.length ? set : most));
  const [key = '', last = ''] = [widest.fields[0]?.name, widest.fields.at(-1)?.name];
  const link = widest.navigation[0]?.name ?? '';
  const uses = `${header}void api.${widest.entitySet}.find({ select: ['${key}', ''], expand: { ${link}: { select: [''] } }, filter: (p) => p.${key}.eq(null as never) });\n`;
  const { options, host, paths } = typedProject(document, { 'uses.ts': uses });
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...paths],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = host.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    ...(host.directoryExists && { directoryExists: host.directoryExists }),
    ...(host.getDirectories && { getDirectories: host.getDirectories }),
    fileExists: host.fileExists,
    readFile: host.readFile,
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  });
  const file = join(process.cwd(), 'virtual/uses.ts');
  const completionsAt = (text: string): readonly string[] =>
    service.getCompletionsAtPosition(file, uses.indexOf(text) + text.length, {})?.entries.map(({ name }) => name) ?? [];
  const timed = (text: string): { readonly names: readonly string[]; readonly milliseconds: number } => {
    const times = [1, 2, 3].map(() => {
      const started = performance.now();
      completionsAt(text);
      return performance.now() - started;
    });
    return { names: completionsAt(text), milliseconds: Math.min(...times) };
  };
  completionsAt("select: ['");
  for (const [text, name] of [
    [`select: ['${key}', '`, last],
    ['expand: { ', link],
    [`${link}: { select: ['`, ''],
    ['(p) => p.', last],
  ] as const) {
    const { names, milliseconds } = timed(text);
    t.log(`${text}: ${names.length} names in ${milliseconds.toFixed(1)} ms`);
    t.true(name === '' ? names.length > 0 : names.includes(name), text);
    t.true(milliseconds <= 100, text);
  }
});
