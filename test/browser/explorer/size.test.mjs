import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, open, page, run, service, testFaults, write } from './explorer-page.mjs';

const mostMegabytes = 60;

test('a page of 1000 whole records takes less than 60 MB', async () => {
  await open();
  await page.route('**/odata/Property?$top=1000', async (route) => {
    const { value } = await (await route.fetch({ url: `${service.root}/Property?$top=5` })).json();
    await route.fulfill({ json: { value: Array.from({ length: 1000 }, (_, index) => ({ ...value[index % value.length], ListingKey: `${index}` })) } });
  });
  await run('GET /Property\n$top=1000');
  await page.locator('.table tbody tr').nth(20).waitFor();
  await page.unroute('**/odata/Property?$top=1000');
  const megabytes = await heapSize();
  assert.ok(megabytes < mostMegabytes, `${megabytes} MB`);
});

/** The megabytes of objects that the page and its worker hold. */
async function heapSize() {
  const session = await browser.context.newCDPSession(page);
  const attached = new Promise((resolve) => session.once('Target.attachedToTarget', resolve));
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const { sessionId } = await attached;
  const answers = new Map();
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message);
    answers.get(id)?.(result);
  });
  const ofWorker = (id, method) =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      void session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    });
  await Promise.all([session.send('HeapProfiler.collectGarbage'), ofWorker(1, 'HeapProfiler.collectGarbage')]);
  const sizes = await Promise.all([session.send('Runtime.getHeapUsage'), ofWorker(2, 'Runtime.getHeapUsage')]);
  await session.detach();
  return sizes.reduce((sum, { usedSize }) => sum + usedSize, 0) / 1e6;
}

async function took() {
  const start = Date.now();
  await open();
  return Date.now() - start;
}

/** Tables as large as those of RESO's Data Dictionary 2.0: 41 types, one of them with 632 properties. */
function enlarged(tables) {
  const types = Object.values(tables.container.entityTypes);
  for (let index = types.length; index < 41; index++) {
    const name = `Other${index}`;
    tables.container.entityTypes[name] = { ...types[index % types.length], name, entitySet: name };
    tables.container.entitySets[name] = name;
  }
  const { fields } = tables.container.entityTypes.Property;
  const { City } = fields;
  for (let index = Object.keys(fields).length; index < 632; index++) fields[`City${index}`] = City;
  return tables;
}

test('a model as large as the Data Dictionary opens as fast as this one, and marks a mistake as fast', async () => {
  await took();
  const few = Math.min(await took(), await took());
  await page.route('**/explorer/tables.json', async (route) => route.fulfill({ json: enlarged(await (await route.fetch()).json()) }));
  const many = Math.min(await took(), await took(), await took());
  assert.ok(many < few + 300, `${many} ms instead of ${few} ms`);
  await write('GET /Property\n$filter=Citty eq 1');
  await page.locator('.editor .cm-lintRange-error').waitFor();
  const megabytes = await heapSize();
  await page.unroute('**/explorer/tables.json');
  assert.ok(megabytes < mostMegabytes, `${megabytes} MB`);
});

testFaults();
