import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// The explorer: the page, the worker with the parser and planner, and the map, which is loaded when a result has points.
const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '../dist/explorer/site');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { metafile } = await build({
  entryPoints: { app: join(here, 'page/app.tsx'), worker: join(here, 'language/worker.ts'), style: join(here, 'style.css') },
  inject: [join(here, 'buffer.ts')],
  outdir: out,
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  chunkNames: '[name]-[hash]',
  loader: { '.png': 'dataurl' },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
copyFileSync(join(here, 'index.html'), join(out, 'index.html'));
writeFileSync(join(out, 'notice.txt'), notice(Object.keys(metafile.inputs)));

/** The licences of the packages in the bundles. */
function notice(inputs) {
  const folders = [...new Set(inputs.flatMap((file) => /(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))].sort();
  return folders.map((folder) => `${nameOf(folder)}\n\n${licenceOf(folder).trim()}\n`).join(`\n${'-'.repeat(72)}\n\n`);
}

function nameOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}`;
}

function licenceOf(folder) {
  const file = existsSync(folder) ? readdirSync(folder).find((name) => /^licen[cs]e/i.test(name)) : undefined;
  if (file === undefined) throw new Error(`${folder} has no licence file.`);
  return readFileSync(join(folder, file), 'utf8');
}
