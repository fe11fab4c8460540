import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, createDraft, open, otherClient, page, record, run, service, testFaults, write } from './explorer-page.mjs';

test('a record is changed with its ETag after a preview, and refused in the words of the service', async () => {
  await open();
  await run('GET /Property\n$filter=ListingKey eq \'4\'\n$select=ListingKey,ListPrice');
  await page.locator('.table tbody tr').first().click();
  const price = page.getByLabel('ListPrice', { exact: true });
  await price.fill('-5');
  const preview = page.locator('.preview');
  assert.match(await preview.locator('pre').textContent(), /^PATCH \/Property\('4'\)\nIf-Match: W\/"\d+"\n\n\{\n {2}"ChangedByMemberKey": "M2",\n {2}"ListPrice": -5\n\}$/);
  await preview.getByRole('button', { name: 'Send' }).click();
  assert.match(await preview.getByRole('alert').textContent(), /not saved[^]*ListPrice/);
  await price.fill('760000');
  await preview.getByRole('button', { name: 'Send' }).click();
  await preview.waitFor({ state: 'detached' });
  await page.locator('.table td', { hasText: '760000' }).waitFor();
  const move = page.locator('.states button', { hasText: /^Sold$/ });
  await move.click();
  assert.match(await preview.locator('pre').textContent(), /"StandardStatus": "Sold"/);
});

test('a record that another one has changed is read again, and that of a deleted one says so', async () => {
  await open();
  const headers = await otherClient();
  const key = await createDraft();
  await run(`GET /Property\n$filter=ListingKey eq '${key}'\n$select=ListingKey`);
  await page.locator('.table tbody tr').first().click();
  await page.getByLabel('CrossStreet', { exact: true }).fill('One');
  await fetch(`${service.root}/Property('${key}')`, { method: 'PATCH', headers, body: JSON.stringify({ City: 'Delta', ChangedByMemberKey: 'M1' }) });
  await record.getByRole('button', { name: 'Send' }).click();
  await record.getByRole('alert').filter({ hasText: 'has changed' }).waitFor();
  await record.getByRole('button', { name: 'Discard' }).click();
  await page.waitForFunction(() => document.querySelector('#edit-City')?.value === 'Delta');
  await fetch(`${service.root}/Property('${key}')`, { method: 'DELETE', headers });
  await record.getByRole('button', { name: 'Close' }).click();
  await page.locator('.table tbody tr').first().click();
  await record.getByRole('alert').filter({ hasText: 'no Property with that key' }).waitFor();
  assert.equal(await record.getAttribute('aria-busy'), 'false');
});

test('a record is created after a preview, and is then open', async () => {
  await open();
  await run('GET /Property\n$select=ListingKey,City');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const draft = page.getByRole('complementary', { name: 'New record' });
  await draft.getByLabel('City', { exact: true }).fill('Ottawa');
  assert.match(await draft.locator('.preview pre').textContent(), /^POST \/Property\n\n\{\n {2}"City": "Ottawa"\n\}$/);
  await draft.getByRole('button', { name: 'Send' }).click();
  assert.match(await draft.getByRole('alert').textContent(), /not saved[^]*ListAgentKey is required/);
  for (const [name, value] of Object.entries({ ListAgentKey: 'M1', ListOfficeKey: 'M1', PropertyType: 'Residential', StreetNumber: '7', StreetName: 'Elm' })) await draft.getByLabel(name, { exact: true }).fill(value);
  await draft.getByRole('button', { name: 'Send' }).click();
  await page.locator('.record[aria-label=Record][aria-busy=false] .state.present').waitFor();
  assert.equal(await page.locator('.state.present').textContent(), 'Incomplete');
});

test('a record is one of the answer, whatever is written since, and however late its answer is', async () => {
  await open();
  await run("GET /Property\n$filter=ListingKey in ('3','4')\n$orderby=ListingKey\n$select=ListingKey,City");
  await page.locator('.table tbody tr').nth(1).waitFor();
  await page.locator('.editor .cm-content').click();
  await write('GET /Member\n$select=MemberKey,');
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/odata/Property('3')", async (route) => {
    await held;
    await route.continue();
  });
  await page.locator('.table tbody tr').first().click();
  await page.locator('.table tbody tr').nth(1).click();
  await record.getByText("/Property('4')").waitFor();
  await record.locator('dl input').first().waitFor();
  const late = page.waitForResponse(/Property\('3'\)/);
  release();
  await (await late).finished();
  await page.unroute("**/odata/Property('3')");
  assert.equal(await record.locator('dt:text-is("ListingKey") + dd').textContent(), '4');
  // A change that is made while another one is sent is not lost, and the unfinished text is not run.
  const street = page.getByLabel('CrossStreet', { exact: true });
  await street.fill('One');
  await page.route("**/odata/Property('4')", async (route) => {
    if (route.request().method() === 'PATCH') await street.fill('Two');
    await route.continue();
  });
  const sent = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await record.getByRole('button', { name: 'Send' }).click();
  assert.equal((await sent).status(), 200);
  await record.locator('.preview pre', { hasText: 'If-Match' }).filter({ hasText: '"Two"' }).waitFor();
  await page.waitForFunction(() => document.querySelector('.preview .run')?.ariaDisabled === 'false');
  await page.unroute("**/odata/Property('4')");
  assert.equal(await street.inputValue(), 'Two');
  assert.equal(await page.locator('.results [role=alert]').count(), 0);
});

test('the moves of a record are a diagram with its state lit', async () => {
  await open();
  await run("GET /Property\n$filter=ListingKey eq '3'\n$select=ListingKey,StandardStatus");
  await page.locator('.table tbody tr').first().click();
  const state = await page.locator('.state.present').textContent();
  await page.getByText('All moves of StandardStatus').click();
  assert.equal(await page.locator('.diagram .main text').textContent(), state);
  assert.ok((await page.locator('.diagram .box').count()) > 3);
});

test('a record is deleted after its request is confirmed, and refused in the words of the service', async () => {
  await open();
  const key = await createDraft();
  await run(`GET /Property\n$filter=ListingKey in ('${key}','3')\n$select=ListingKey`);
  await page.locator('.table td', { hasText: new RegExp(`^${key}$`) }).click();
  await record.getByRole('button', { name: 'Delete' }).click();
  const preview = record.getByRole('group', { name: 'Request' });
  assert.match(await preview.locator('pre').textContent(), new RegExp(`^DELETE /Property\\('${key}'\\)\nIf-Match: W/"\\d+"\n$`));
  await page.keyboard.press('Enter');
  await preview.waitFor({ state: 'detached' });
  await record.getByRole('button', { name: 'Delete' }).click();
  await fetch(`${service.root}/Property('${key}')`, { method: 'PATCH', headers: await otherClient(), body: JSON.stringify({ City: 'Delta', ChangedByMemberKey: 'M1' }) });
  await preview.getByRole('button', { name: 'Delete' }).click();
  assert.match(await preview.getByRole('alert').textContent(), /has changed/);
  await preview.getByRole('button', { name: 'Cancel' }).click();
  await record.getByRole('button', { name: 'Close' }).click();
  await page.locator('.table td', { hasText: new RegExp(`^${key}$`) }).click();
  await record.getByRole('button', { name: 'Delete' }).click();
  await preview.getByRole('button', { name: 'Delete' }).click();
  await record.waitFor({ state: 'detached' });
  await page.locator('.fact.rows', { hasText: '1 row' }).waitFor();
  assert.deepEqual(await cells(1), ['3']);
});

test('changes that are not sent are kept while their record is closed', async () => {
  await open();
  await run("GET /Property\n$filter=ListingKey in ('3','4')\n$orderby=ListingKey\n$select=ListingKey");
  await page.locator('.table tbody tr').nth(1).click();
  await page.getByLabel('CrossStreet', { exact: true }).fill('Kept');
  await page.locator('.editor .cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n$cou');
  await page.locator('.editor .cm-tooltip-autocomplete').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.editor .cm-tooltip-autocomplete').waitFor({ state: 'detached' });
  assert.equal(await record.count(), 1);
  await page.locator('.table tbody tr').first().click();
  await record.getByText("/Property('3')").waitFor();
  await record.locator('dl input').first().waitFor();
  assert.equal(await record.locator('.preview').count(), 0);
  await page.keyboard.press('Escape');
  await record.waitFor({ state: 'detached' });
  await page.locator('.table tbody tr').nth(1).click();
  await record.locator('.preview pre', { hasText: '"CrossStreet": "Kept"' }).waitFor();
  await record.getByRole('button', { name: 'Discard' }).click();
  await record.locator('.preview').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('City', { exact: true }).fill('Hull');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  assert.equal(await page.getByLabel('City', { exact: true }).inputValue(), 'Hull');
});

test('a collection is changed line by line, or by its list of values', async () => {
  await page.route('**/explorer/tables.json', async (route) => {
    const tables = await (await route.fetch()).json();
    tables.container.entityTypes.Property.fields.Cooling.allowedValues = ['Central Air', 'Window Units'];
    await route.fulfill({ json: tables });
  });
  await open();
  const key = await createDraft({ Heating: ['Gas'], Roof: ['Tiles\nof clay'] });
  await run(`GET /Property\n$filter=ListingKey eq '${key}'\n$select=ListingKey`);
  await page.locator('.table tbody tr').first().click();
  const heating = page.getByLabel('Heating', { exact: true });
  await heating.focus();
  assert.equal(await page.getByLabel('Roof', { exact: true }).inputValue(), '["Tiles\\nof clay"]', 'an item of two lines is edited as JSON');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  const preview = record.locator('.preview pre');
  assert.equal(await record.locator('.preview').count(), 0, 'an empty line is no item');
  await page.keyboard.type('Wood');
  assert.match(await preview.textContent(), /"Heating": \[\n {4}"Gas",\n {4}"Wood"\n {2}\]/);
  await page.getByLabel('Cooling', { exact: true }).selectOption(['Window Units', 'Central Air']);
  assert.match(await preview.textContent(), /"Cooling": \[\n {4}"Central Air",\n {4}"Window Units"\n {2}\]/);
  await heating.fill('Wood\n\nOil\n');
  await page.getByLabel('ChangedByMemberKey', { exact: true }).fill('M1');
  await record.getByRole('button', { name: 'Send' }).click();
  await record.locator('.preview').waitFor({ state: 'detached' });
  const stored = await fetch(`${service.root}/Property('${key}')?$select=Heating,Cooling`, { headers: await otherClient() });
  const { Heating, Cooling } = await stored.json();
  assert.deepEqual({ Heating, Cooling }, { Heating: ['Wood', 'Oil'], Cooling: ['Central Air', 'Window Units'] });
  await page.unroute('**/explorer/tables.json');
});

test('flags are chosen together', async () => {
  await page.route('**/explorer/tables.json', async (route) => {
    const tables = await (await route.fetch()).json();
    const members = [['None', '0'], ['Gate', '1'], ['Fence', '2']];
    tables.container.entityTypes.Property.fields.CrossStreet.enumeration = { qualifiedName: 'Ns.Border', underlyingType: 'Edm.Int32', flags: true, members };
    await route.fulfill({ json: tables });
  });
  await open();
  const key = await createDraft({ CrossStreet: 'Gate,8' });
  await run(`GET /Property\n$filter=ListingKey eq '${key}'\n$select=ListingKey`);
  await page.locator('.table tbody tr').first().click();
  const border = page.getByLabel('CrossStreet', { exact: true });
  assert.deepEqual(await border.evaluate((list) => [...list.options].map(({ value, selected }) => `${value} ${selected}`)), ['Gate true', '8 true', 'None false', 'Fence false']);
  const preview = record.locator('.preview pre');
  await border.selectOption(['Gate', 'Fence']);
  assert.match(await preview.textContent(), /"CrossStreet": "Gate,Fence"/);
  await border.selectOption(['8']);
  assert.match(await preview.textContent(), /"CrossStreet": "8"/);
  await border.selectOption([]);
  assert.match(await preview.textContent(), /"CrossStreet": null/);
  await record.getByRole('button', { name: 'Discard' }).click();
  await page.unroute('**/explorer/tables.json');
});

test('a text of several lines keeps them', async () => {
  await open();
  const key = await createDraft({ PublicRemarks: 'First\nSecond', CrossStreet: 'One\nTwo' });
  await run(`GET /Property\n$filter=ListingKey eq '${key}'\n$select=ListingKey`);
  await page.locator('.table tbody tr').first().click();
  for (const name of ['PublicRemarks', 'CrossStreet']) {
    await page.getByLabel(name, { exact: true }).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
  }
  const preview = record.locator('.preview pre');
  assert.match(await preview.textContent(), /"PublicRemarks": "First\\nSecond!"/);
  assert.match(await preview.textContent(), /"CrossStreet": "One\\nTwo!"/);
  await record.getByRole('button', { name: 'Discard' }).click();
});

testFaults();
