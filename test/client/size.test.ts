import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import test from 'ava';

/** The part of esbuild that is used here. */
interface Bundler {
  readonly buildSync: (options: object) => { readonly outputFiles: readonly { readonly contents: Uint8Array }[] };
}

const { buildSync } = createRequire(import.meta.url)('esbuild') as Bundler;

// The bytes of the bundled client after gzip.
function sizeOf(code: string): number {
  const { outputFiles } = buildSync({
    stdin: { contents: code, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

const most = [
  { what: 'finding records', code: "export { connect, find } from './client/index.js';", bytes: 3072 },
  { what: 'reading and changing records', code: "export { createClient } from './client/index.js';", bytes: 4250 },
  { what: 'everything', code: "export * from './client/index.js';", bytes: 6272 },
];

for (const { what, code, bytes } of most) {
  test(`a bundle for ${what} has at most ${bytes} bytes`, (t) => {
    const size = sizeOf(code);
    t.log(`${size} bytes`);
    t.true(size <= bytes, String(size));
  });
}
