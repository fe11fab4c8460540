import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { compileModel, startModel, temporaryFolder, type ToyService } from '../toy/toy-service.js';

const categories = [
  { Info: { ID: 7 }, Name: 'Tools' },
  { Info: { ID: 99 }, Name: 'Toys' },
];
const people = [
  { Id: 5, Address: { City: 'Oslo', Country: 'NO' } },
  { Id: 6, Address: null },
];

let service: ToyService;

test.before(async () => {
  const folder = temporaryFolder();
  const model = join(folder, 'model.xml');
  const functions = ['Category', 'Person'].map(
    (type) =>
      `<Function Name="Made${type}" IsComposable="true"><ReturnType Type="Collection(Aliases.${type})" Nullable="false"/></Function>`,
  );
  const imports = ['Category', 'Person'].map((type) => `<FunctionImport Name="Made${type}" Function="Aliases.Made${type}"/>`);
  const text = readFileSync('test/toy/aliases.xml', 'utf8');
  writeFileSync(
    model,
    text
      .replace('<EntityContainer', `${functions.join('')}<EntityContainer`)
      .replace('</EntityContainer>', `${imports.join('')}</EntityContainer>`),
  );
  const operations = { madeCategory: () => ({ values: categories }), madePerson: () => ({ values: people }) };
  service = await startModel({ ...(await compileModel(model, folder)), extensions: {}, operations, generated: folder }, folder);
  await post('Categories', { Info: { ID: 7 }, Name: 'Stored' });
  await post('Products', { Shop: 's', Info: { ID: 1 }, CategoryId: 7 });
  await post('Countries', { Code: 'NO', Name: 'Norway' });
});

test.after.always(() => service.stop());

test('a key within a complex value is that of the values, stored or not', async (t) => {
  t.is((await ask('MadeCategory()(99)/Name'))['value'], 'Toys');
  t.deepEqual((await ask('MadeCategory()(99)/Products'))['value'], []);
  t.deepEqual((await ask('MadeCategory()?$expand=Products($select=Shop)&$select=Name&$orderby=Info/ID desc'))['value'], [
    { '@odata.id': null, Name: 'Toys', Products: [] },
    { '@odata.id': null, Name: 'Tools', Products: [{ '@odata.id': `${service.root}/Products(Shop='s',Number=1)`, Shop: 's' }] },
  ]);
});

test('and so is a foreign key', async (t) => {
  t.is((await ask('MadePerson()(5)/Country/Name'))['value'], 'Norway');
  t.deepEqual((await ask('MadePerson()?$filter=Country eq null&$select=Id'))['value'], [{ '@odata.id': null, Id: 6 }]);
});

async function post(path: string, body: object): Promise<void> {
  await fetch(`${service.root}/${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

async function ask(path: string): Promise<{ readonly [name: string]: unknown }> {
  return (await (await fetch(`${service.root}/${path}`)).json()) as { readonly [name: string]: unknown };
}
