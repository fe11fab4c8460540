import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startService } from '../../dist/test/support/service.js';
import { openBrowser } from './chromium.mjs';

/* global axe -- in the page. */
const axeSource = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
// Of several pages of one kind, the one with the most parts.
const pages = readdirSync('dist/docs').filter((name) => name.endsWith('.html')).concat('sets/Property.html', 'sets/Member.html');
const policy = [];
let browser;
let service;
let docs;

before(async () => {
  service = await startService({ GABLE_DOCS: 'true' });
  docs = service.root.replace('/odata', '/docs/');
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens a page of the documentation with a scheme of colours and a width. */
async function open(path, { scheme = 'light', width = 1280 } = {}) {
  const page = await browser.context.newPage();
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 900 });
  page.on('console', (message) => /Content Security Policy/i.test(message.text()) && policy.push(`${path}: ${message.text()}`));
  page.on('pageerror', (error) => policy.push(`${path}: ${error.message}`));
  page.on('request', (request) => request.url().startsWith(docs.replace('/docs/', '')) || policy.push(`${path}: asks ${request.url()}`));
  await page.goto(new URL(path, docs).href);
  return page;
}

describe('every page', () => {
  for (const scheme of ['light', 'dark'])
    test(`has nothing serious to hear or see for axe, ${scheme}`, async () => {
      const found = [];
      for (const path of scheme === 'dark' ? pages.slice(-6) : pages) {
        const page = await open(path, { scheme });
        await page.evaluate(axeSource);
        const { violations } = await page.evaluate(() => axe.run());
        found.push(...violations.map(({ id, impact, nodes }) => `${path}: ${impact} ${id} ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary?.slice(0, 200)}`));
        await page.close();
      }
      assert.deepEqual(found, []);
    });

  test('fits into 320 pixels', async () => {
    for (const path of pages) {
      const page = await open(path, { width: 320 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 320, `${path} is ${width} pixels wide`);
      await page.close();
    }
  });

  test('has no button on a text at 320 pixels, and no narrow list of what is found', async () => {
    const page = await open('excel.html', { width: 320 });
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll('.code > .copy')].filter((button) => {
        const [one, text] = [button, button.parentElement.querySelector('pre')].map((element) => element.getBoundingClientRect());
        return one.top < text.bottom && one.bottom > text.top;
      }).length,
    );
    assert.equal(covered, 0);
    await page.keyboard.press('/');
    await page.keyboard.type('listpri');
    await page.waitForSelector('#found a');
    const { left, width } = await page.locator('#found').evaluate((list) => list.getBoundingClientRect());
    assert.ok(left >= 0 && width >= 230, `${left} ${width}`);
    await page.close();
  });

  test('shows the chosen language in forced colours', async () => {
    const page = await open('sets/Property.html');
    await page.emulateMedia({ forcedColors: 'active' });
    const [chosen, other] = await page.evaluate(() => ['.tab:checked', '.tab:not(:checked)'].map((tab) => getComputedStyle(document.querySelector(`${tab} + label`)).backgroundColor));
    assert.notEqual(chosen, other);
    await page.close();
  });

  test('shows its text without a script', async () => {
    const page = await browser.context.newPage();
    const session = await browser.context.newCDPSession(page);
    await session.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.goto(new URL('sets/Property.html', docs).href);
    assert.match(await page.innerText('main'), /ListingKey.*StandardStatus.*ListPrice/s);
    assert.equal(await page.locator('.search').isVisible(), false);
    await page.close();
  });
});

test('prints dark on white, whatever colours the screen has, without controls', async () => {
  const page = await open('sets/Property.html', { scheme: 'dark' });
  await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
  await page.emulateMedia({ media: 'print' });
  const light = await page.evaluate(() =>
    [...document.querySelectorAll('main :is(h1, p, td, pre, code, pre i)')].filter((element) => element.checkVisibility()).filter((element) => {
      const [red, green, blue] = getComputedStyle(element).color.match(/\d+/g).map(Number);
      return (red + green + blue) / 3 > 140;
    }).map(({ outerHTML }) => outerHTML.slice(0, 80)),
  );
  assert.deepEqual(light, []);
  assert.equal(await page.locator('.tabs:visible, .copy:visible, .top:visible').count(), 0);
  await page.close();
});

describe('the script', () => {
  test('finds fields, pages and errors by keys alone', async () => {
    const page = await open('index.html');
    await page.keyboard.press('/');
    await page.keyboard.type('listpri');
    await page.waitForSelector('#found a');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sets\/Property\.html#f-ListPrice$/);
    await page.keyboard.press('/');
    await page.keyboard.type('1041');
    await page.waitForSelector('#found a:text("1041")');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/errors\.html#1041$/);
    await page.close();
  });

  test('shows the rows with a text', async () => {
    const page = await open('sets/Property.html');
    await page.fill('[data-filter=fields]', 'asking price');
    assert.deepEqual(await page.locator('.fields tbody tr:visible th').allInnerTexts(), ['ListPrice']);
    await page.close();
  });

  test('keeps the language and the colours', async () => {
    const page = await open('sets/Property.html');
    await page.click('label:text("Python") >> nth=0');
    await page.click('.theme');
    await page.goto(new URL('sets/Member.html', docs).href);
    assert.match(await page.locator('.example pre:visible').first().innerText(), /^import os\nimport requests/);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.click('.theme');
    await page.close();
  });

  test('shows links to parts of the service that are there', async () => {
    const page = await open('index.html');
    await page.waitForSelector('.links a:text("OpenAPI")');
    await page.close();
  });
});

test('the explorer that an example has opened stays signed in for the next one, and reads on beside the documentation', async () => {
  const both = await startService({ GABLE_DOCS: 'true', GABLE_EXPLORER: 'true' });
  const page = await browser.context.newPage();
  try {
    await page.goto(both.root.replace('/odata', '/docs/sets/Member.html'));
    const tryIt = page.getByRole('link', { name: 'Try it' });
    const [explorer] = await Promise.all([browser.context.waitForEvent('page'), tryIt.first().click()]);
    await explorer.getByLabel('Bearer token').fill(await both.token('write'));
    await explorer.getByLabel('Bearer token').press('Enter');
    await explorer.locator('.cm-line', { hasText: '$top=1' }).waitFor();
    await tryIt.last().click();
    await explorer.locator('.cm-line', { hasText: /GET \/Member\('/ }).waitFor();
    await page.getByRole('link', { name: 'Explorer' }).click();
    await explorer.getByRole('button', { name: 'Signed in' }).waitFor();
    const [reading] = await Promise.all([browser.context.waitForEvent('page'), explorer.getByRole('link', { name: 'Documentation' }).click()]);
    await reading.goto(page.url());
    await reading.getByRole('link', { name: 'Try it' }).first().click();
    await explorer.locator('.cm-line', { hasText: '$top=1' }).waitFor();
    assert.ok(await explorer.getByRole('button', { name: 'Signed in' }).isVisible());
    for (const one of [reading, explorer]) await one.close();
  } finally {
    await page.close();
    await both.stop();
  }
});

test('no page has asked another origin, or broken the policy', () => assert.deepEqual(policy, []));
