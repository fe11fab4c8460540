import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, open, page, query, run, service, testFaults, write } from './explorer-page.mjs';

test('without a token the page asks for one, and says why it is refused', async () => {
  await page.goto(address());
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.insertText('wrong');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('dialog [role=alert]').textContent(), /valid bearer token/);
  await page.locator('dialog textarea').fill(await service.token('read'));
  await page.locator('dialog button.run').press('Enter');
  await page.locator('.tree li').first().waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.hash]).includes('eyJ')), false);
});

test('a narrower scope sees nothing hidden, and changes nothing', async () => {
  await open('read');
  await page.getByPlaceholder('Search fields').fill('Sold');
  assert.equal(await page.locator('.tree .name', { hasText: 'SoldPrice' }).count(), 0);
  await page.locator('.editor .cm-content').click();
  await run('GET /Property\n$top=1');
  await page.locator('.table tbody tr').first().click();
  await page.locator('.record[aria-busy=false] dl').waitFor();
  assert.equal(await page.locator('.record input, .record select').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'New', exact: true }).count(), 0);
});

test('the plan is shown to the scope of operators only', async () => {
  await open();
  assert.equal(await page.getByRole('tab', { name: 'Plan' }).count(), 0);
  await open('admin');
  await write("GET /Property\n$filter=City eq 'Toronto'");
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.locator('.plan pre', { hasText: 'where t0."City" = $1' }).waitFor();
  assert.equal(await page.locator('.plan pre', { hasText: 'Toronto' }).count(), 0);
  await page.locator('.plan li strong').first().waitFor();
  await page.getByLabel('Execute the statements').check();
  await page.locator('.plan .detail', { hasText: /rows in [\d.]+ ms/ }).first().waitFor();
});

test('a token that has expired is replaced without losing the query', async () => {
  await open();
  await page.route('**/odata/Member?*', (route) => route.fulfill({ status: 401, json: { error: { code: '1101', message: 'The token has expired.' } } }));
  await run('GET /Member\n$top=1');
  await page.locator('.results').getByRole('button', { name: 'Sign in' }).click();
  await page.unroute('**/odata/Member?*');
  await page.locator('dialog textarea').fill(await service.token('read'));
  await page.locator('dialog button.run').press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  await page.locator('.table tbody tr').first().waitFor();
  assert.equal(await query(), 'GET /Member\n$top=1');
});

testFaults();
