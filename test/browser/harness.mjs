import { startToy } from '../../dist/test/toy/toy-service.js';
import { startListings } from '../clients/harness.mjs';
import { openBrowser } from './chromium.mjs';
import { serveUi5 } from './ui5-page.mjs';

/** The listing service, one of orders with their lines, a page of another origin with UI5 in it, and everything that the page sends. */
export async function openPage() {
  const browser = await openBrowser();
  const listings = await startListings();
  const orders = await startToy('test/toy/orders.xml');
  const ui5 = await serveUi5();
  const page = browser.context.pages()[0] ?? await browser.context.newPage();
  const sent = [];
  page.on('request', (request) => {
    const root = [listings.root, orders.root].find((one) => request.url().startsWith(one));
    if (root !== undefined) sent.push(`${request.method()} ${request.url().slice(root.length)}\n${request.postData() ?? ''}`);
  });
  await page.goto(ui5.url);
  await page.evaluate(loadModel, { root: listings.root, headers: listings.headers });
  return { listings, orders, page, sent, close: async () => { await browser.close(); await ui5.stop(); await listings.stop(); await orders.stop(); } };
}

// Runs in the page, as everything that a test hands to `page.evaluate`: `openModel` is then what the tests begin with.
async function loadModel({ root, headers }) {
  const { sap } = globalThis;
  const names = ['odata/v4/ODataModel', 'Filter', 'FilterOperator', 'Sorter'];
  const modules = await new Promise((resolve, reject) => sap.ui.require(names.map((name) => `sap/ui/model/${name}`), (...found) => resolve(found), reject));
  const [ODataModel, Filter, FilterOperator, Sorter] = modules;
  const openModel = (parameters = {}) => new ODataModel({ serviceUrl: `${root}/`, httpHeaders: headers, operationMode: 'Server', ...parameters });
  Object.assign(globalThis, { Filter, FilterOperator, Sorter, openModel });
}
