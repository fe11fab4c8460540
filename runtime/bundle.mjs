import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// dist/serve: what `gable serve` loads of this package, in a few files. Node needs half a millisecond to find, open and
// link each of 400 modules.
const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist');
const out = join(dist, 'serve');
const features = join(dist, 'runtime/features/index.js');

const modules = {
  name: 'modules',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { contents: withOwnAddress(path === features ? withStaticImports(text) : text, path) };
    }),
};

// A module finds its neighbours by its own address, as if it were not in the bundle.
function withOwnAddress(text, path) {
  return text.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(out, path))}, import.meta.url).href`);
}

// A file for each feature, and for each set of modules that some features share, would be a hundred files.
function withStaticImports(text) {
  const imports = [];
  const rest = text.replace(/import\(('[^']+')\)/g, (_, path) => `feature${imports.push(path) - 1}`);
  return `${imports.map((path, index) => `import * as feature${index} from ${path};\n`).join('')}${rest}`;
}

rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: { serve: join(dist, 'runtime/tools/cli/serve.js') },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Node 20 has them; esbuild would construct a RegExp each time that such a literal is evaluated.
  supported: { 'regexp-unicode-property-escapes': true },
  packages: 'external',
  // The handlers of projects import it too, and the classes of their answers must be the same.
  external: [join(dist, 'runtime/edm/*')],
  plugins: [modules],
  logLevel: 'warning',
});
// `npx gable` in this folder runs it by a link that npm keeps over builds.
chmodSync(join(dist, 'gable.js'), 0o755);
