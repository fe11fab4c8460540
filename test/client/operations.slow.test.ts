import { readFileSync, rmSync } from 'node:fs';
import test from 'ava';
import { createClient, isCode, ServiceError, type Client } from '../../client/index.js';
import { startKiosk } from '../operations/kiosk-service.js';
import { runGable } from '../support/run-command.js';
import type { ToyService } from '../toy/toy-service.js';
import { service as table, type Sets } from './kiosk/client.js';

let kiosk: ToyService;
let api: Client<Sets>;

test.before(async () => {
  kiosk = await startKiosk();
  api = createClient(table, { baseUrl: kiosk.root, token: 'toy' });
  await api.Shelves.create({ Id: 'top', Label: 'Top' });
  const items = [
    { Id: 1, Name: 'Pen', Price: 2 },
    { Id: 2, Name: 'Book', Price: 20 },
  ];
  for (const item of items) await api.Items.create({ ...item, Size: 'Small', Tags: [], ShelfId: 'top' });
});
test.after.always(() => kiosk.stop());

test.serial('actions and functions bound to a record, a set and a singleton are methods', async (t) => {
  const label: string = await api.Items.at(1).Label({ prefix: "A's/1" });
  t.regex(label, /A's\/1/);
  const cheaper = await api.Items.at(await api.Items.get(2)).Discount({ percent: 50 });
  t.is(cheaper.Price, 10);
  t.true(Array.isArray(await api.Items.Discount({ percent: 1 })));
  const closed = await t.throwsAsync(api.Shelves.at('top').Close(), { instanceOf: ServiceError });
  t.true(isCode(closed, '1013'));
});

test.serial('imports are methods of the client, and their values have the declared types', async (t) => {
  const sum: number = await api.Sum({ a: 2, b: 3 });
  t.is(sum, 5);
  t.deepEqual(await api.Nothing(), null);
  t.is((await api.Offer()).constructor, Object);
  t.true(Array.isArray(await api.Words()));
  const best = await api.BestItems({ count: 2 });
  t.true(Array.isArray(best));
  const none = { when: null, day: '2026-01-31', id: null, span: 'PT1H', data: null, ratio: 1.5, ok: true, size: 'Small' } as const;
  const echo = await api.Echo({ ...none, place: { type: 'Point', coordinates: [1, 2] } });
  t.true(echo.some((text) => text.includes('2026-01-31')));
  const refused = await t.throwsAsync(api.Items.at(1).Discount({ percent: 101 }), { instanceOf: ServiceError });
  t.is(refused?.details[0]?.target, 'percent');
});

test.serial('gable types writes the same from the address of the service, and the committed files are current', async (t) => {
  const folder = `dist/toy/types-${process.pid}`;
  const written = await runGable(['types', kiosk.root, '--out', folder]);
  t.is(written.status, 0, written.stderr);
  t.is(bodyOf(`${folder}/client.ts`), bodyOf('test/client/kiosk/client.ts'));
  rmSync(folder, { recursive: true });
  for (const [document, out] of [
    ['operations/kiosk.xml', 'kiosk'],
    ['client/trippin.xml', 'trippin'],
    ['client/cap.xml', 'cap'],
  ] as const) {
    const checked = await runGable(['types', `test/${document}`, '--out', `test/client/${out}`, '--check']);
    t.is(checked.status, 0, checked.stdout);
  }
});

// Without the header, which names the source.
function bodyOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/.*\n/, '');
}
