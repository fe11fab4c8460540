import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { serveWith } from '../../../dist/test/project/gable-process.js';
import { openBrowser } from '../chromium.mjs';

const service = await serveWith('dist/gable.js', ['try', 'test/browser/explorer/values.xml', '--port', '0'], { cwd: process.cwd(), env: process.env });
const browser = await openBrowser();
const page = browser.context.pages()[0] ?? (await browser.context.newPage());
after(async () => {
  await browser.close();
  await service.interrupt();
});

const record = page.locator('.record');
const preview = record.locator('.preview pre');
const field = (name) => page.getByLabel(name, { exact: true });

/** Opens the first record of a query, and waits for the input of a property. */
async function openFirst(address, property = 'Half') {
  await page.goto('about:blank');
  await page.goto(new URL(`../explorer/#GET${address.replaceAll(' ', '%20')}`, `${service.root}/`).href);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.locator('.table tbody tr').first().click();
  await field(property).waitFor();
}

async function send() {
  await record.getByRole('button', { name: 'Send' }).click();
  await record.locator('.preview').waitFor({ state: 'detached' });
}

const stored = async (address) => (await fetch(`${service.root}${address}`)).text();

test('complex values and shapes are edited as JSON, which is not sent before it is JSON', async () => {
  await openFirst('/Things?$filter=ID eq 1');
  const home = field('Home');
  await home.fill('{"Street": "Elm",');
  await record.getByText('Not sent, since it is not JSON').waitFor();
  assert.equal(await home.getAttribute('aria-invalid'), 'true');
  assert.equal(await preview.count(), 0);
  await home.fill('{"Street": "Elm", "Share": 12345678901234567890.5}');
  await field('Others').fill('[{"Street": "Oak"}]');
  await field('Place').fill('{"type": "Point", "coordinates": [1.5, 2]}');
  assert.equal(await home.inputValue(), '{"Street": "Elm", "Share": 12345678901234567890.5}');
  assert.match(await preview.textContent(), /"coordinates": \[\n {6}1.5,\n {6}2\n {4}\]/);
  await send();
  assert.match(
    await stored('/Things(1)?$select=Home,Others,Place'),
    /"Home":\{"Street":"Elm","Share":12345678901234567890.5\},"Others":\[\{"Street":"Oak","Share":null\}\],"Place":\{"type":"Point","coordinates":\[1.5,2\]/,
  );
  await field('Place').fill('');
  assert.match(await preview.textContent(), /"Place": null/);
  await field('Place').fill(' \n');
  assert.match(await preview.textContent(), /"Place": null/);
  await home.fill(' ');
  await record.getByText('Not sent, since it is not JSON: it is empty').waitFor();
  assert.doesNotMatch(await preview.textContent(), /"Home"/);
});

test('numbers keep each digit', async () => {
  await openFirst('/Things?$filter=ID eq 2');
  await field('Long').fill('9007199254740993');
  await field('Half').fill('0.12345678901234568');
  await field('Bytes').fill('AAEC');
  await send();
  assert.match(await stored('/Things(2)?$select=Long,Half,Bytes'), /"Long":9007199254740993,"Half":0.12345678901234568,"Bytes":"AAEC"/);
  assert.equal(await field('Long').inputValue(), '9007199254740993');
});

test('a list of numbers has no quotes', async () => {
  await openFirst('/Things?$filter=ID eq 2');
  await field('Level').selectOption('1');
  assert.match(await preview.textContent(), /"Level": 1\n/);
  await send();
  await page.locator('.editor .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('GET /Things\n$filter=Level eq ');
  await page.locator('.editor .cm-tooltip-autocomplete li', { hasText: /^1/ }).waitFor();
  assert.equal(await page.locator('.editor .cm-tooltip-autocomplete li', { hasText: "'1'" }).count(), 0);
});

test('a record is created with a required complex value, and opened by a long key', async () => {
  await openFirst('/Things');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await field('ID').fill('9007199254740995');
  await field('Home').fill('{"Street": "Elm"}');
  await record.getByRole('button', { name: 'Send' }).click();
  await record.getByText('/Things(9007199254740995)', { exact: true }).waitFor();
  await field('Half').fill('2');
  await send();
  assert.match(await stored('/Things(9007199254740995)?$select=Half'), /"Half":2\}/);
});

test('records of derived types and singletons are edited', async () => {
  await openFirst('/Things?$filter=isof(Ns.Special)&$top=1');
  await field('Extra').fill('more');
  await send();
  assert.match(await stored('/Things/Ns.Special?$top=1&$select=Extra'), /"Extra":"more"/);
  await openFirst('/Mine');
  await record.getByText('/Mine', { exact: true }).waitFor();
  await field('Half').fill('3');
  await send();
  assert.match(await stored('/Mine?$select=Half'), /"Half":3\}/);
});

test('contained records are created and edited below their parent, by a list of them or their own address', async () => {
  await openFirst('/Things(1)/Parts', 'Label');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await field('No').fill('a/b');
  await record.getByRole('button', { name: 'Send' }).click();
  await record.getByText("/Things(1)/Parts('a%2Fb')", { exact: true }).waitFor();
  await field('Label').fill('one');
  await send();
  await openFirst("/Things(1)/Parts('a%2Fb')", 'Label');
  assert.equal(await field('Label').inputValue(), 'one');
  await record.getByRole('button', { name: 'Delete' }).click();
  await record.locator('.preview').getByRole('button', { name: 'Delete' }).click();
  await record.waitFor({ state: 'detached' });
  assert.equal((await fetch(`${service.root}/Things(1)/Parts('a%2Fb')`)).status, 404);
});

test('a record whose key stands in a complex value is edited', async () => {
  await openFirst('/Letters', 'Body');
  await record.getByText(/^\/Letters\('.+'\)$/).waitFor();
  await field('Body').fill('Dear');
  await send();
  assert.match(await stored('/Letters?$top=1'), /"Body":"Dear"/);
});

test('media entities are edited, but not created, which takes their stream', async () => {
  await openFirst('/Pictures', 'Title');
  assert.equal(await page.getByRole('button', { name: 'New', exact: true }).count(), 0);
  await field('Title').fill('Sea');
  await send();
  assert.match(await stored('/Pictures?$select=Title&$orderby=ID'), /"Title":"Sea"/);
});
