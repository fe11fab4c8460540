import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import test from 'ava';

const folder = 'dist/explorer/site';
const files = readdirSync(folder);

/** The size as it is sent, in kilobytes. */
function sizeOf(name: string): number {
  return gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1000;
}

/** A file and the files that it imports before it runs. */
function withImports(name: string): readonly string[] {
  const text = readFileSync(join(folder, name), 'utf8');
  const imported = [...text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].flatMap(([, found = '']) => withImports(found));
  return [...new Set([name, ...imported])];
}

test('the first view is at most 170 kB, and all of it 350 kB', (t) => {
  const first = ['index.html', 'style.css', ...withImports('app.js')].reduce((sum, name) => sum + sizeOf(name), 0);
  const all = files.filter((name) => name !== 'notice.txt').reduce((sum, name) => sum + sizeOf(name), 0);
  t.true(first <= 170, `${first} kB`);
  t.true(all <= 350, `${all} kB`);
});

test('nothing of the page is from elsewhere, and nothing of Node is in it', (t) => {
  for (const name of files.filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    t.false(/\bimport(?:\{[^}]*\}from|\()?"(?!\.\/)|\brequire\("|"node:/.test(text), name);
    if (name === 'worker.js') t.false(/\bprocess\.(?:env|versions|hrtime)|\bBuffer\.alloc/.test(text), name);
  }
  for (const name of ['index.html', 'style.css'])
    t.false(/url\((?!"?(?:data:|#))|(?:src|href)="(?:https?:)?\/\//.test(readFileSync(join(folder, name), 'utf8')), name);
});

test('the notice names every bundled package', (t) => {
  const notice = readFileSync(join(folder, 'notice.txt'), 'utf8');
  for (const name of ['preact', '@preact/signals', '@codemirror/view', 'leaflet']) t.true(notice.includes(`${name} `));
});
