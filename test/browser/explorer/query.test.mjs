import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, delayPlanner, open, page, query, run, service, testFaults, write } from './explorer-page.mjs';

test('listings in Toronto under 600000 of brick, dearest first, with their first photo: by keys alone', async () => {
  await open();
  await page.keyboard.press('Control+a');
  for (const [text, proposal] of [
    ['GET /Prop', 'Property'],
    ['\n$fil', '$filter'],
    ["City eq 'Toronto' and ListPr", 'ListPrice'],
    [' lt 600000 and Constr', 'ConstructionMaterials'],
    ["/any(x:x eq 'Brick')\n$ord", '$orderby'],
    ['ListPr', 'ListPrice'],
    [' de', 'desc'],
    ['\n$exp', '$expand'],
    ['Med', 'Media'],
    ['($orderby=Order;$top=1)\n$sel', '$select'],
    ['ListingK', 'ListingKey'],
    [',ListPr', 'ListPrice'],
  ]) {
    await page.keyboard.insertText(text.slice(0, -1));
    await page.keyboard.type(text.slice(-1));
    const first = page.locator('.editor .cm-tooltip-autocomplete li[aria-selected=true]');
    await first.filter({ hasText: proposal }).waitFor();
    // The editor ignores Enter for 75 ms after proposals have opened; a slow machine waits longer, never shorter.
    await page.waitForTimeout(120);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Escape');
  assert.equal(await query(), "GET /Property\n$filter=City eq 'Toronto' and ListPrice lt 600000 and ConstructionMaterials/any(x:x eq 'Brick')\n$orderby=ListPrice desc\n$expand=Media($orderby=Order;$top=1)\n$select=ListingKey,ListPrice");
  await page.keyboard.press('Control+Enter');
  await page.locator('.table tbody tr').first().waitFor();
  assert.deepEqual(await cells(1), ['3']);
  for (let steps = 0; steps < 20 && !(await page.evaluate(() => document.activeElement?.role === 'grid')); steps++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Record' }).getByText("/Property('3')").waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.record').count(), 0);
  await page.waitForFunction(() => document.activeElement?.role === 'grid');
});

test('a mistake is underlined at its place, in the words of the service, and corrected by a click', async () => {
  await open();
  await write("GET /Property\n$filter=Citty eq 'x'");
  const mark = page.locator('.editor .cm-lintRange-error');
  await mark.waitFor();
  assert.equal(await mark.textContent(), 'Citty');
  await mark.hover();
  const advice = page.locator('.editor .cm-tooltip-lint');
  await advice.waitFor();
  const headers = { Authorization: `Bearer ${await service.token('write')}` };
  const { error } = await (await fetch(`${service.root}/Property?$filter=Citty%20eq%20'x'`, { headers })).json();
  assert.ok((await advice.textContent()).startsWith(error.message));
  await advice.getByRole('button').click();
  await mark.waitFor({ state: 'detached' });
  assert.equal(await query(), "GET /Property\n$filter=City eq 'x'");
});

test('the form and the text are one query, however fast the form is changed', async () => {
  await open();
  await write("GET /Property\n$filter=ListPrice gt 1 and (City eq 'a' or City eq 'b')");
  await page.keyboard.press('Alt+2');
  await page.getByLabel('Operator of ListPrice').waitFor();
  await delayPlanner();
  await page.getByLabel('Operator of ListPrice').selectOption('le');
  await page.getByLabel('Add a condition').fill('standardst');
  await page.getByLabel('Add a condition').press('Enter');
  await page.getByLabel('Value of StandardStatus').fill('Active');
  await page.waitForTimeout(600); // The planner answers while it is typed.
  await page.getByLabel('Value of StandardStatus').press('Tab');
  await page.getByLabel('Sort by').fill('City');
  await page.getByLabel('Sort by').press('Enter');
  await page.getByRole('button', { name: 'Ascending' }).click();
  await page.keyboard.press('Alt+1');
  await page.locator('.cm-line', { hasText: '$orderby=City desc' }).waitFor();
  assert.equal(await query(), "GET /Property\n$filter=ListPrice le 1 and (City eq 'a' or City eq 'b') and StandardStatus eq 'Active'\n$orderby=City desc");
});

test('the query that runs is the one that is written, whatever the planner has answered', async () => {
  await open();
  await write('GET /Property\n$top=3\n$select=City');
  await page.keyboard.press('Alt+2');
  await page.getByLabel('Records', { exact: true }).waitFor();
  await delayPlanner();
  await page.getByLabel('Records', { exact: true }).fill('2');
  const [request] = await Promise.all([page.waitForRequest(/odata\/Property\?/), page.keyboard.press('Control+Enter')]);
  assert.match(request.url(), /\$top=2/);
  await page.keyboard.press('Alt+1');
  await page.locator('.cm-line', { hasText: '$top=2' }).waitFor();
  await page.locator('.editor .cm-content').click();
  await write('GET /Member\n$top=1');
  const [second] = await Promise.all([page.waitForRequest(/odata\/Member/), page.keyboard.press('Control+Enter')]);
  assert.match(second.url(), /Member\?\$top=1$/);
});

test('the form of a text with a mistake says so, and changes nothing', async () => {
  await open();
  await write("GET /Property\n$filter=City eq 'x\n$orderby=City");
  await page.keyboard.press('Alt+2');
  await page.getByText('The text has a mistake').waitFor();
  assert.equal(await page.locator('.form').count(), 0);
});

async function paste(text) {
  await page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', copied);
    document.querySelector('.editor').shadowRoot.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('a whole address that is pasted takes the place of the query', async () => {
  await open();
  for (const root of [service.root, 'https://elsewhere.example/odata', '/odata']) {
    await write('GET /Member');
    await paste(`${root}/Property?$filter=City%20eq%20'Toronto'&$top=1`);
    assert.equal(await query(), "GET /Property\n$filter=City eq 'Toronto'\n$top=1");
  }
  await page.keyboard.press('Control+z');
  assert.equal(await query(), 'GET /Member');
  await paste('/$count');
  assert.equal(await query(), 'GET /Member/$count');
});

test('a whole address that is typed becomes the query when it runs', async () => {
  await open();
  await run(`GET ${service.root}/Property?$filter=ListingKey eq '3'\n$select=City`);
  await page.locator('.table td', { hasText: 'Toronto' }).waitFor();
  assert.equal(await query(), "GET /Property\n$filter=ListingKey eq '3'\n$select=City");
});

test('an address on one line is a query', async () => {
  await open();
  await run("GET /Property?$filter=ListingKey eq '3'&$select=City");
  await page.locator('.table td', { hasText: 'Toronto' }).waitFor();
  await write("GET /Property?$filter=Citty eq 'x'");
  await page.locator('.editor .cm-lintRange-error', { hasText: 'Citty' }).waitFor();
});

test('a mistake is told below the query, and corrected by keys', async () => {
  await open();
  await write("GET /Property\n$filter=Citty eq 'x'");
  await page.locator('.mistake', { hasText: 'Property has no property Citty. Did you mean City?' }).waitFor();
  assert.equal(await page.getByLabel('Query', { exact: true }).last().getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.mistake').waitFor({ state: 'detached' });
  await page.keyboard.type(' or false');
  assert.equal(await query(), "GET /Property\n$filter=City eq 'x' or false");
});

test('a query is built in the form by keys alone, and nothing is added on the way of the arrow keys', async () => {
  await open();
  await write('GET /Property\n$select=ListingKey,ListPrice,City');
  await page.keyboard.press('Alt+2');
  await page.getByLabel('Add a condition').waitFor();
  await page.keyboard.press('Tab');
  for (const key of ['Tab', 'ArrowDown', 'ArrowDown', 'Escape']) await page.keyboard.press(key);
  assert.equal(await page.locator('.form .row').count(), 0);
  await page.keyboard.type('city');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Value of City');
  await page.keyboard.type('Toronto');
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.type('nothing like it');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByLabel('Add a condition').evaluate((field) => field.validationMessage), 'No name resembles nothing like it.');
  await page.getByLabel('Add related records').focus();
  await page.keyboard.type('Meida');
  await page.keyboard.press('Enter');
  for (const [name, next] of [['ListPrice', 'Remove City'], ['City', 'Add a property']]) {
    await page.getByRole('group', { name: 'Properties' }).getByRole('button', { name: `Remove ${name}` }).press('Enter');
    await page.waitForFunction((label) => document.activeElement?.ariaLabel === label, next);
  }
  await page.keyboard.press('Alt+1');
  await page.locator('.cm-line', { hasText: '$expand=Media' }).waitFor();
  assert.equal(await query(), "GET /Property\n$select=ListingKey\n$filter=City eq 'Toronto'\n$expand=Media");
});

test('arrow keys pass the sets of a query, and the one that is left replaces it', async () => {
  await open();
  await write("GET /Property\n$filter=City eq 'Hull'");
  await page.keyboard.press('Alt+2');
  await page.getByLabel('Records of').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'Tab']) await page.keyboard.press(key);
  assert.equal(await page.getByLabel('Value of City').inputValue(), "'Hull'");
  await page.getByLabel('Records of').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.getByLabel('Value of City').inputValue(), "'Hull'");
  await page.keyboard.press('Control+Enter');
  await page.locator('.table th', { hasText: 'MemberKey' }).waitFor();
  await page.keyboard.press('Alt+1');
  assert.equal(await query(), 'GET /Member\n$top=20');
});

test('the values of in are a list in the form, and a value that does not fit is told there', async () => {
  await open();
  await write("GET /Property\n$filter=City eq 'Hull'");
  await page.keyboard.press('Alt+2');
  await page.getByLabel('Operator of City').selectOption('in');
  await page.getByLabel('Value of City').fill("Toronto, Val-d'Or");
  await page.getByLabel('Value of City').press('Tab');
  await page.waitForFunction(() => document.querySelector('[aria-label="Value of City"]').value === "('Toronto','Val-d''Or')");
  await page.getByLabel('Operator of City').selectOption('ne');
  await page.getByLabel('Add a condition').fill('GarageYN');
  await page.getByLabel('Add a condition').press('Enter');
  await page.getByLabel('Value of GarageYN').fill('yes');
  await page.getByLabel('Value of GarageYN').press('Tab');
  await page.locator('.form [role=alert]', { hasText: 'If it is a Boolean, write true' }).waitFor();
  await page.keyboard.press('Alt+1');
  assert.equal(await query(), "GET /Property\n$filter=City ne 'Toronto' and GarageYN eq yes");
});

test('a field of another set begins a query of its records', async () => {
  await open();
  await write('GET /Office\n$select=OfficeKey');
  for (const [set, name, expected] of [['Office', 'OfficeName', 'GET /Office\n$select=OfficeKey,OfficeName'], ['Property', 'ListPrice', 'GET /Property\n$top=20\n$select=ListPrice']]) {
    await page.getByRole('button', { name: `Open ${set}`, exact: true }).click();
    await page.locator('.tree').getByRole('button', { name, exact: true }).click();
    await page.locator('.cm-line', { hasText: name }).waitFor();
    assert.equal(await query(), expected);
  }
});

testFaults();
