import { join } from 'node:path';
import test from 'ava';
import ts from 'typescript';
import { typedProject, wideModel, type TypedProject } from './wide-model.js';

const header = `import { createClient } from 'gable/client';\nimport { service } from './client.js';\nconst api = createClient(service, { baseUrl: 'x' });\nvoid api;\n`;

// Three queries on every set, with select, expand, filter and orderby.
const queries = Array.from({ length: 41 }, (_, index) => [
  `api.Type${index}s.find({ select: ['Id', 'Field1'], filter: (p) => p.Field0.eq('x'), orderby: ['Field1 desc'] })`,
  `api.Type${index}s.find({ select: ['Field2'], expand: { Link1: { select: ['Field3'] }, Link2: true }, filter: (p) => p.Link2.any((one) => one.Field1.gt(1)) })`,
  `api.Type${index}s.find({ select: ['Field3', 'Field4'], expand: { Link3: { select: ['Id'], top: 1 } }, orderby: ['Field0', 'Field1 desc'] })`,
]).flat();

function check({ options, host, paths }: TypedProject): ts.Program {
  const program = ts.createProgram([...paths], options, host);
  const [fault] = ts.getPreEmitDiagnostics(program);
  if (fault) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, ' '));
  return program;
}

test('queries of a model as large as the data dictionary cost the compiler little', (t) => {
  const bare = check(typedProject(wideModel(), { 'uses.ts': header })).getInstantiationCount();
  const lines = queries.map(
    (query, index) => `const q${index} = ${query};\nfor await (const { Id } of q${index} as AsyncIterable<{ Id?: unknown }>) void Id;`,
  );
  const all = check(typedProject(wideModel(), { 'uses.ts': header + lines.join('\n') })).getInstantiationCount();
  t.log(`${all} instantiations, ${Math.round((all - bare) / queries.length)} a query`);
  t.true(all <= 100_000);
  t.true((all - bare) / queries.length <= 700);
});

test('completion in a query takes no longer than a tenth of a second after the first', (t) => {
  const uses = `${header}void api.Type0s.find({ select: ['Id', ''], expand: { Link1: { select: [''] } }, filter: (p) => p.Field0.eq('') });\n`;
  const { options, host, paths } = typedProject(wideModel(), { 'uses.ts': uses });
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
    ["select: ['Id', '", 'Field631'],
    ['expand: { ', 'Link1'],
    ["Link1: { select: ['", 'Field23'],
    ['(p) => p.', 'Field631'],
  ] as const) {
    const { names, milliseconds } = timed(text);
    t.log(`${text}: ${names.length} names in ${milliseconds.toFixed(1)} ms`);
    t.true(names.includes(name), text);
    t.true(milliseconds <= 100, text);
  }
});
