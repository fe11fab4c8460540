import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, 'generated');
const require = createRequire(import.meta.url);

/** Runs the generators of the typed clients on `$metadata` as any client gets it that says no version. */
export async function generateClients({ root, headers }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'source'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(folder, 'tsconfig.json'), '{"compilerOptions":{"target":"ES2022","module":"CommonJS","skipLibCheck":true,"strict":true}}');
  const response = await fetch(`${root}/$metadata`, { headers: { ...headers, Accept: '*/*' } });
  writeFileSync(join(folder, 'source/Listing.xml'), await response.text());
  run('@odata2ts/odata2ts/lib/run-cli.js', ['-s', 'source/Listing.xml', '-o', 'odata2ts', '-m', 'all', '-e', 'js', '-t', 'tsconfig.json']);
  // One set is called Field, which that generator wants for itself.
  run('@sap-cloud-sdk/generator/dist/cli.js', ['-i', 'source', '-o', 'sap', '--overwrite', '--skipValidation']);
  transpile(join(folder, 'sap/Listing'));
}

/** A module that was generated. */
export function generated(path) {
  return require(join(folder, path));
}

function run(script, options) {
  execFileSync(process.execPath, [join(import.meta.dirname, 'node_modules', script), ...options], { cwd: folder, stdio: 'pipe' });
}

/** The faults of a program that uses the types of openapi-typescript for the document of a version. */
export async function typeCheckOpenApi({ root, headers }, version, program) {
  const response = await fetch(`${new URL(root).origin}/openapi.json?version=${version}`, { headers });
  writeFileSync(join(folder, 'openapi.json'), await response.text());
  run('openapi-typescript/bin/cli.js', ['openapi.json', '-o', `openapi-${version}.ts`]);
  const file = join(folder, `program-${version}.ts`);
  writeFileSync(file, `import type { paths } from './openapi-${version}.js';\n${program}`);
  const options = { noEmit: true, strict: true, skipLibCheck: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] };
  return ts.getPreEmitDiagnostics(ts.createProgram([file], options)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function transpile(source) {
  for (const name of readdirSync(source).filter((file) => file.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(join(source, name), 'utf8'), { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } });
    writeFileSync(join(source, name.replace(/\.ts$/, '.js')), outputText);
  }
}
