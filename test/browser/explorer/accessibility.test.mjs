import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createDraft, open, page, record, run, service, testFaults } from './explorer-page.mjs';

const focused = () => page.evaluate(() => document.activeElement?.textContent);

test('the arrow keys choose a tab, and Tab leaves the tabs', async () => {
  await open('admin');
  const text = page.getByRole('tab', { name: 'Text' });
  await text.focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('.form').waitFor();
  assert.equal(await focused(), 'Form');
  await page.keyboard.press('End');
  await page.locator('.plan').waitFor();
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'Text');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Run');
});

test('the number of records is announced, and the record that the keys choose is named', async () => {
  await open();
  await run("GET /Property\n$filter=ListingKey in ('3','4')\n$orderby=ListingKey\n$select=ListingKey");
  await page.getByRole('status').filter({ hasText: '2 rows' }).waitFor({ state: 'attached' });
  const grid = page.getByRole('grid', { name: 'Records' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  const active = await grid.getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}[aria-selected=true]`).textContent(), '4');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Record');
  await record.locator('dl input').first().focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.role === 'grid');
});

const focusIn = (selector) => page.waitForFunction((within) => document.activeElement?.matches(within), selector);

test('whatever a key hides or ends, the focus goes on from there', async () => {
  await open('admin');
  for (const [key, place] of [['Alt+2', '.pane'], ['Alt+4', '.pane'], ['Alt+1', '.editor']]) {
    await page.keyboard.press(key);
    await focusIn(place);
  }
  await page.route('**/odata/Member*', (route) => route.fulfill({ json: { value: [{ MemberKey: 'M1' }], ...(!/next/.test(route.request().url()) && { '@odata.nextLink': `${service.root}/Member?next` }) } }));
  await run('GET /Member');
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await focusIn('[role=grid]');
  await page.keyboard.press('Alt+4');
  await page.locator('.past button').first().press('Enter');
  await focusIn('.editor');
  const caller = page.getByRole('button', { name: /^Signed in/ });
  await caller.press('Enter');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await focusIn('header button:last-child');
});

test('a record is changed by keys, and the change is announced', async () => {
  await open();
  const key = await createDraft();
  await run(`GET /Property\n$filter=ListingKey eq '${key}'\n$select=ListingKey`);
  await page.locator('[role=grid]').press('Enter');
  await record.getByRole('button', { name: 'Active', exact: true, pressed: false }).press('Enter');
  await record.getByRole('button', { name: 'Active', exact: true, pressed: true }).waitFor();
  const member = record.locator('dl input').first();
  assert.equal(await member.evaluate((field) => `${field.labels[0].textContent} ${field.ariaRequired}`), 'ChangedByMemberKey true');
  await member.press('Enter');
  await page.keyboard.press('Enter');
  await record.getByRole('alert').filter({ hasText: 'ChangedByMemberKey is required.' }).waitFor();
  assert.equal(await focused(), 'Send');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await focusIn('.record');
  await record.getByLabel('CrossStreet', { exact: true }).fill('One');
  await member.fill('M1');
  await member.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor({ state: 'attached' });
  await focusIn('.record');
});

const backgrounds = (selectors) => page.evaluate((all) => all.map((selector) => getComputedStyle(document.querySelector(selector)).backgroundColor), selectors);

test('what is chosen is seen in forced colours', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open();
  await run('GET /Property\n$top=2\n$select=ListingKey');
  await page.locator('.table tr.active').waitFor();
  const [row, otherRow, tab, otherTab] = await backgrounds(['tr.active td', 'tr:not(.active) td', '[aria-selected=true][role=tab]', '[aria-selected=false][role=tab]']);
  assert.notEqual(row, otherRow);
  assert.notEqual(tab, otherTab);
  await page.emulateMedia({ forcedColors: 'none' });
});

test('no tab is cut off on a telephone, and the model comes into view', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open('admin');
  await run('GET /Property\n$top=2\n$select=ListingKey,GeoLocation');
  await page.getByRole('tab', { name: 'Map' }).waitFor();
  assert.ok(await page.getByRole('link', { name: 'Documentation' }).isVisible());
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('[role=tab], .results .bar button, .run')].filter((button) => {
      const { left, right } = button.getBoundingClientRect();
      return left < 0 || right > innerWidth || button.parentElement.scrollWidth > button.parentElement.clientWidth;
    }).map(({ textContent }) => textContent),
  );
  assert.deepEqual(cut, []);
  await page.locator('.panes').evaluate((panes) => panes.scrollTo(0, 1000));
  await page.getByRole('button', { name: 'Model' }).click();
  await page.getByLabel('Search fields').waitFor();
  assert.ok(await page.getByLabel('Search fields').evaluate((field) => field.getBoundingClientRect().top >= 0), 'the model is in view');
  await page.setViewportSize({ width: 1280, height: 720 });
});

testFaults();

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

for (const colorScheme of ['light', 'dark'])
  test(`axe finds nothing serious in ${colorScheme} colours, and nothing is wider than a small screen`, async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await open('admin');
    await run('GET /Property\n$top=5');
    await page.locator('.table tbody tr').first().click();
    await page.locator('.record dl input').first().waitFor();
    await page.getByText('All moves of StandardStatus').click();
    await page.locator('.diagram').waitFor();
    for (const [key, shown] of [['Alt+1', '.editor'], ['Alt+2', '.form'], ['Alt+3', '.copy'], ['Alt+4', '.past'], ['Alt+5', '.plan pre']]) {
      await page.keyboard.press(key);
      await page.locator(shown).first().waitFor();
      await page.evaluate(axe);
      const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(serious.map(({ id, nodes }) => `${key} ${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`), []);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await open();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
    await page.setViewportSize({ width: 1280, height: 720 });
  });
