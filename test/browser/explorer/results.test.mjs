import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { open, otherClient, page, run, service, testFaults } from './explorer-page.mjs';

test('rows outside of the view are not in the page', async () => {
  await open();
  await page.route('**/odata/Property?$top=1000', (route) => route.fulfill({ json: { value: Array.from({ length: 1000 }, (_, index) => ({ ListingKey: `${index}`, City: 'x' })) } }));
  await run('GET /Property\n$top=1000');
  await page.locator('.table tbody tr').nth(20).waitFor();
  assert.ok((await page.locator('.table tr').count()) < 80);
  await page.locator('[role=grid]').focus();
  await page.keyboard.press('End');
  await page.locator('.table td', { hasText: /^999$/ }).waitFor();
  assert.ok((await page.locator('.table tr').count()) < 80);
});

test('results are shown as JSON, map and bars', async () => {
  await open();
  await run('GET /Property\n$select=ListingKey,GeoLocation');
  await page.getByRole('tab', { name: 'Map' }).click();
  await page.locator('.map path.place').first().waitFor();
  assert.ok((await page.locator('.map path.place').count()) >= 4);
  await page.getByRole('tab', { name: 'JSON' }).click();
  assert.match(await page.locator('.json').textContent(), /^\{\n {2}"@odata\.context": /);
  await page.locator('.editor .cm-content').click();
  await run('GET /Property\n$apply=groupby((City),aggregate($count as Many))');
  await page.getByRole('tab', { name: 'Bars' }).click();
  assert.equal(await page.locator('.bars rect').count(), 3);
});

test('an answer that is no JSON is shown as it is', async () => {
  await open();
  for (const [text, shown] of [['GET /Property/$count', /^\d+$/], ["GET /Property('3')/City/$value", /^Toronto$/], ["GET /Property\n$select=City\n$format=csv", /^City\r?\n/]]) {
    await page.locator('.editor .cm-content').click();
    await run(text);
    await page.locator('.results pre.json', { hasText: shown }).waitFor();
    assert.equal(await page.locator('.fact.rows').textContent(), '');
  }
});

test('the records of a query are saved as a file, of which a refusal is told', async () => {
  await open();
  await run('GET /Property\n$select=ListingKey,City\n$orderby=ListingKey desc\n$top=2\n$format=json');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).press('Enter');
  const file = await saved;
  assert.equal(file.suggestedFilename(), 'Property.csv');
  assert.match(readFileSync(await file.path(), 'utf8'), /^\ufeffListingKey,City\r\n\w+,[^\r]+\r\n\w+,[^\r]+\r\n$/);
  await page.route('**/odata/Property?*', (route) => route.fulfill({ status: 503, json: { error: { code: '1503', message: 'Busy.' } } }));
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByRole('alert').filter({ hasText: 'The file cannot be saved: Busy.' }).waitFor();
  await page.unroute('**/odata/Property?*');
});

test('changes are followed until another query is run', async () => {
  await open();
  await run("GET /Property\n$filter=City eq 'Toronto'\n$select=ListingKey,ListPrice");
  const link = page.waitForResponse(async (response) => (await response.text()).includes('deltaLink'));
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('button', { name: 'Following' }).waitFor();
  await link;
  const headers = await otherClient();
  const { status } = await fetch(`${service.root}/Property('3')`, { method: 'PATCH', headers, body: JSON.stringify({ ListPrice: 512345, ChangedByMemberKey: 'M1' }) });
  assert.equal(status, 200);
  await page.locator('.table tr.marked td', { hasText: '512345' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
});

test('an answer of many megabytes is shown as a table at once, and as text up to a limit', async () => {
  await open();
  const row = { City: 'x'.repeat(3000) };
  await page.route('**/odata/Property?$top=10000', (route) => route.fulfill({ json: { value: Array.from({ length: 10_000 }, (_, index) => ({ ListingKey: `${index}`, ...row })) } }));
  await run('GET /Property\n$top=10000');
  await page.locator('.fact.rows', { hasText: '10000 rows' }).waitFor();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.locator('pre.json', { hasText: /… and \d{5}\.\d kB more\.$/ }).waitFor();
  assert.ok((await page.locator('pre.json').textContent()).length < 1_000_000);
});

test('a refused query has neither rows nor changes to follow', async () => {
  await open();
  await run("GET /Property\n$filter=Citty eq 'x'");
  await page.locator('.results [role=alert]').waitFor();
  assert.equal(await page.locator('.fact.rows').textContent(), '');
  assert.equal(await page.locator('.results').getByRole('button', { name: /Follow|New/ }).count(), 0);
});

testFaults();
