import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import test from 'ava';

// Modules for migrations and generation take megabytes of every process that loads them.
const unneeded = ['ts-morph', 'typescript', 'handlebars', 'sequelize'];

async function loadedBy(module: string): Promise<readonly string[]> {
  const { href } = new URL(module, import.meta.url);
  const script = `import { createRequire } from 'node:module'; await import('${href}'); console.log(Object.keys(createRequire('${href}').cache).join('\\n'))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return unneeded.filter((name) => stdout.replaceAll('\\', '/').includes(`/node_modules/${name}/`));
}

test('serving loads nothing that it does not need', async (t) => {
  t.deepEqual(await loadedBy('../../runtime/tools/cli/serve.js'), []);
  t.deepEqual(await loadedBy('../../generator/portal/render-page.js'), ['handlebars'], 'what is loaded is seen');
});

test('commands that only read a model load no compiler', async (t) => {
  for (const module of ['../../generator/cli/doctor.js', '../../generator/generate.js', '../../replicate/cli.js'])
    t.deepEqual(await loadedBy(module), []);
});

test('the bundle of gable serve loads no file of the package but those of the entity model, which projects import too', (t) => {
  const text = readdirSync('dist/serve').map((name) => readFileSync(`dist/serve/${name}`, 'utf8'));
  const loaded = [...text.join('\n').matchAll(/(?:^import .*|import\()"(\.\.\/[^"]*)"/gm)].map(([, path]) => path);
  const files = ['grouped', 'identifier', 'index', 'lookup', 'memoized'];
  t.deepEqual(
    [...new Set(loaded)].toSorted(),
    files.map((name) => `../runtime/edm/${name}.js`),
  );
});
