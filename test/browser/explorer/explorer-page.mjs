import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { issueCode } from '../../../dist/runtime/features/explorer/explorer.js';
import { startService } from '../../../dist/test/support/service.js';
import { openBrowser } from '../chromium.mjs';

/** The listing service with its explorer, and a page of a browser; both end with the tests of the file. */
export const service = await startService({ GABLE_EXPLORER: 'true' });
export const browser = await openBrowser();
export const page = browser.context.pages()[0] ?? (await browser.context.newPage());
const violations = [];
const failures = [];

await page.exposeFunction('reportViolation', (text) => violations.push(text));
await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => globalThis.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)));
page.on('pageerror', (error) => failures.push(error.message));

after(async () => {
  await browser.close();
  await service.stop();
});

/** The last test of a file. A test with axe stands after it, since axe sets styles of its own. */
export function testFaults() {
  test('nothing broke the policy, and no script failed', () => {
    assert.deepEqual(violations, []);
    assert.deepEqual(failures, []);
  });
}

export const address = (fragment = '') => new URL(`../explorer/${fragment}`, `${service.root}/`).href;

/** Opens the page by a link that signs in once, and waits until a query can be written. */
export async function open(name = 'write') {
  await page.goto('about:blank');
  await page.goto(address(`#code=${issueCode(await service.token(name))}`));
  await page.locator('.editor .cm-content').waitFor();
  await page.waitForFunction(() => document.activeElement?.classList.contains('editor'));
}

/** Replaces the query, in which the cursor stands. */
export async function write(text) {
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  await page.keyboard.press('Escape');
}

/** Replaces the query, and runs it. */
export async function run(text) {
  await write(text);
  await page.keyboard.press('Control+Enter');
}

export const query = () => page.evaluate(() => [...document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));
export const cells = (column) => page.locator(`.table tbody tr td:nth-child(${column})`).allTextContents();
export const record = page.getByRole('complementary', { name: 'Record', exact: true });

/** The planner of the page answers half a second late, so that each change meets the answer to one before it. */
export const delayPlanner = () =>
  page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...args) {
      setTimeout(() => post.apply(this, args), 500);
    };
  });

/** Headers of a client that changes records next to the page. */
export const otherClient = async () => ({ Authorization: `Bearer ${await service.token('write')}`, 'Content-Type': 'application/json', 'If-Match': '*' });

/** Creates a draft; the answer is its key. */
export async function createDraft(changes = {}) {
  const draft = { ListAgentKey: 'M1', ListOfficeKey: 'M1', PropertyType: 'Residential', StreetNumber: '1', StreetName: 'Elm', City: 'Hull', ...changes };
  const response = await fetch(`${service.root}/Property`, { method: 'POST', headers: await otherClient(), body: JSON.stringify(draft) });
  return (await response.json()).ListingKey;
}
