import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseCsdl } from '../../generator/csdl/parse-csdl.js';
import { diffModels } from '../../generator/diff/diff.js';
import { Sources } from '../../generator/sources.js';
import { buildDocument } from '../../runtime/features/openapi/build-document.js';
import type { Json } from '../../runtime/features/openapi/json-document.js';
import { compileModel, temporaryFolder } from '../toy/toy-service.js';

const base = readFileSync('test/toy/depot.xml', 'utf8');

const original = documentOf(base);

/** Edits of a model that change nothing for its clients. */
const edits: { readonly [name: string]: (text: string) => string } = {
  'a comment': (text) => text.replace('<EntityType', '<!-- first --><EntityType'),
  'other white space': (text) => text.replace(/\n\s*/g, ''),
  'another alias': (text) => text.replaceAll('self', 'Own'),
  'another order of properties': (text) =>
    text.replace(/(<Property Name="Place"[^\n]*\n)\s*(<NavigationProperty Name="Items"[^\n]*\n)/, '$2$1'),
};

for (const [name, edit] of Object.entries(edits))
  test(`${name} is no change of the model, and none of its document`, async (t) => {
    const edited = edit(base);
    t.not(edited, base);
    t.deepEqual(diffModels(parse(base), parse(edited)), []);
    t.deepEqual(await documentOf(edited), await original);
  });

test('a change of the model is one of its document', async (t) => {
  const edited = base.replace('MaxLength="60"', 'MaxLength="70"');
  t.is(diffModels(parse(base), parse(edited)).length, 1);
  t.notDeepEqual(await documentOf(edited), await original);
});

async function documentOf(model: string): Promise<Json> {
  const folder = temporaryFolder();
  const path = join(folder, 'source', 'model.xml');
  mkdirSync(join(folder, 'source'));
  writeFileSync(path, model);
  const { container } = await compileModel(path, folder);
  const metadata = JSON.parse(readFileSync(join(folder, 'metadata.json'), 'utf8')) as Json;
  rmSync(folder, { recursive: true });
  const options = {
    caller: { subject: '', scopes: new Set<string>() },
    root: 'https://a.example/odata',
    tokenUrl: 'https://a.example/token',
  };
  return buildDocument(container, metadata, { version: '3.1', ...options });
}

function parse(text: string): ReturnType<typeof parseCsdl> {
  return parseCsdl({ path: 'model.xml', bytes: Buffer.from(text) }, new Sources(), ({ message }) => {
    throw new Error(message);
  });
}
