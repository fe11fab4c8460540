import test from 'ava';
import {
  batch,
  changes,
  changeSet,
  ConflictError,
  createClient,
  day,
  etagOf,
  filter,
  readStream,
  ServiceError,
  writeStream,
} from '../../client/index.js';
import { answering } from './answers.js';
import { service } from './cap/client.js';

// Recorded answers of SAP CAP, which sends decimals and 64-bit numbers as text whether asked to or not.
const root = 'http://localhost:4105/odata/v4/shop/';
const recorded = answering('cap.txt', root);
const api = createClient(service, { baseUrl: root, fetch: recorded.fetch, retries: 0, decimals: 'string' });

test.serial('records over pages, with digits that a number would lose', async (t) => {
  const books = await api.Books.find({ select: ['ID', 'price', 'sold'], orderby: ['ID'] }).all();
  t.deepEqual(
    books.map(({ ID, price }) => [ID, price]),
    [
      [1, '11.10'],
      [2, '13.13'],
      [3, '14.00'],
      [4, '150.00'],
      [5, '9.99'],
      [6, '7.50'],
      [7, '1.00'],
    ],
  );
  t.is(books[0]?.sold, '9007199254740993');
  const counted = [];
  for await (const { count, records } of api.Books.pages({ select: ['ID'], count: true, filter: (b) => b.genre.eq('Poetry') }))
    counted.push([count, records.length]);
  // The last page may be empty.
  t.deepEqual(counted, [
    [3, 3],
    [3, 0],
  ]);
});

test.serial('filters, related records and keys', async (t) => {
  t.is(await api.Books.count({ filter: (b) => b.price.gt(10) }), 4);
  const [heights, ...others] = await api.Books.find({
    select: ['title'],
    expand: { author: { select: ['name'] }, chapters: { select: ['name'], orderby: ['pos desc'], top: 1 } },
    filter: (b) => b.chapters.any((c) => c.name.startswith('A')),
  }).all();
  t.deepEqual(
    [heights?.title, heights?.author?.name, heights?.chapters[0]?.name, others.length],
    ['Heights', "Emily O'Brontë", 'Return', 0],
  );
  t.is((await api.Authors.find({ filter: filter`name eq ${"Emily O'Brontë"}` }).all()).length, 1);
  const early = await api.Books.find({ select: ['ID'], filter: (b) => b.published.lt(day('1846-01-01')) }).all();
  t.deepEqual(
    early.map(({ ID }) => ID),
    [2, 5],
  );
  t.is((await api.Authors.get('22222222-2222-4222-8222-222222222222', { select: ['name'] })).name, 'Edgar Poe');
  t.is((await api.Chapters.get({ book_ID: 1, pos: 2 })).name, 'Return');
});

test.serial('changes with the ETag of a record, conflicts, creates of related records, and deletes', async (t) => {
  const book = await api.Books.get(3, { select: ['ID', 'price', 'modifiedAt'] });
  t.is(etagOf(book), 'W/"2024-01-01T00:00:00.000Z"');
  t.is((await api.Books.update(book, { price: '14.50' })).price, '14.50');
  await t.throwsAsync(api.Books.update(book, { stock: 1 }), { instanceOf: ConflictError });
  const created = await api.Books.create({
    ID: 8,
    title: 'Deep & new',
    price: '1.10',
    sold: '9007199254740993',
    ...{ chapters: [{ pos: 1, name: 'Only' }] },
  });
  t.is(created.sold, '9007199254740993');
  await api.Books.delete(created);
  // The preference of a representation is an error there.
  t.is(recorded.asked.find(({ method }) => method === 'DELETE')?.headers.get('prefer'), null);
});

test.serial('a feed of changes that the service does not track ends with an error', async (t) => {
  const feed = changes(api.Authors, { filter: (p) => p.name.eq("Emily O'Brontë") });
  const names: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const { record } of feed) names.push(record?.name);
  };
  await t.throwsAsync(read(), { message: 'Authors tracks no changes' });
  t.is(names.length, 1);
});

test.serial('errors', async (t) => {
  const bad = { ID: 9, title: 'x', price: 'x', ...({ stock: 'many' } as object) };
  const refused = await t.throwsAsync(api.Books.create(bad), { instanceOf: ServiceError });
  t.deepEqual(
    refused?.details.map(({ target }) => target),
    ['price', 'stock'],
  );
  t.like(await t.throwsAsync(api.Books.get(99)), { status: 404, code: '404' });
  t.regex((await t.throwsAsync(api.Books.find({ filter: filter`Titel eq 1` }).all()))?.message ?? '', /Property "Titel" does not exist/);
});

test.serial('operations, batches and streams', async (t) => {
  // A set with ETags demands them of operations too. A record that was read brings its own to actions, which alone change it.
  const current = { headers: { 'if-match': '*' } };
  t.deepEqual(
    (await api.Books.at(1).similar({ most: 2 }, current)).map(({ ID }) => ID),
    [2, 3],
  );
  const book = { ID: 4, '@odata.etag': 'W/"4"' };
  t.is((await api.Books.at(book).discount({ percent: 10 }))?.price, '135.00');
  t.is(recorded.asked.at(-1)?.headers.get('if-match'), 'W/"4"');
  t.is((await api.cheapest({ below: '5.5' }))?.title, 'Annabel');
  t.is(await api.words({ text: "it's a / b" }), 4);
  t.is(await api.restock({ by: 2 }), 2);
  const [usher, [author], page] = await batch(api, [
    api.Books.get(5, { select: ['title'] }),
    changeSet(api.Authors.create({ ID: '33333333-3333-4333-8333-333333333333', name: 'New' })),
    api.Books.find({ select: ['ID'], top: 1 }),
  ]);
  t.deepEqual([usher.title, author.name, page.records.length], ['Usher', 'New', 1]);
  await t.throwsAsync(batch(api, [api.Books.get(98), api.Books.get(6, { select: ['ID'] })]), { instanceOf: ServiceError });
  await writeStream(api.Books, 1, 'cover', new Uint8Array([137, 80, 78, 71]), { type: 'image/png', etag: '*' });
  const bytes = await (await readStream(api.Books, 1, 'cover')).text();
  t.is(bytes.slice(1), 'PNG');
});
