import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { draft } from '../clients/harness.mjs';
import { openPage } from './harness.mjs';

/* global sap, openModel, Filter, FilterOperator, Sorter -- what a function given to `run` finds in the page. */
let opened;

before(async () => {
  opened = await openPage();
});

afterEach(() => opened.sent.splice(0));

after(() => opened?.close());

describe('reading', () => {
  test('reads the model and its annotations', async () => {
    const facts = await run(async () => {
      const meta = openModel().getMetaModel();
      return [await meta.requestObject('/Property/ListPrice/$Type'), await meta.requestObject('/Property/Rooms/RoomKey/$Type'), await meta.requestObject('/Property/ListingKey@Org.OData.Core.V1.Computed')];
    });
    assert.deepEqual(facts, ['Edm.Decimal', 'Edm.String', true]);
  });

  test('lists and counts, a page after the other', async () => {
    const found = await run(async () => {
      const list = openModel().bindList('/Property', null, [], [], { $count: true, $select: 'ListingKey' });
      const pages = [await list.requestContexts(0, 4), await list.requestContexts(4, 4)];
      return { count: list.getHeaderContext().getProperty('$count'), length: list.getLength(), keys: pages.map((page) => page.map((context) => context.getProperty('ListingKey'))) };
    });
    assert.deepEqual(found.keys.map(({ length }) => length), [4, 2]);
    assert.equal(new Set(found.keys.flat()).size, 6);
    assert.equal(found.length, 6);
    assert.equal(Number(found.count), 6);
    assert.match(opened.sent.at(-1), /^POST \/\$batch\n/);
  });

  test('lists without a batch, with parameters of its own', async () => {
    const keys = await run(async () => {
      const model = openModel({ groupId: '$direct', metadataUrlParams: { 'sap-language': 'EN' }, serviceUrl: `${openModel().getServiceUrl()}?sap-client=100&sap-statistics=true` });
      const contexts = await model.bindList('/Property', null, [], [], { $select: 'ListingKey', 'custom': 'x' }).requestContexts(0, 10);
      return contexts.map((context) => context.getProperty('ListingKey'));
    });
    assert.equal(keys.length, 6);
    assert.ok(opened.sent.some((request) => /^GET \/Property\?sap-client=100&.*custom=x.*&sap-statistics=true/.test(request)), opened.sent.join());
  });

  test('fetches a token against forgery beforehand', async () => {
    await run(async () => openModel({ earlyRequests: true }).bindContext("/Office('O1')").requestObject());
    assert.ok(opened.sent.some((request) => request.startsWith('HEAD /')));
  });

  test('filters and sorts', async () => {
    const found = await run(async () => {
      const model = openModel();
      const read = async (filter, sorters = []) => {
        const contexts = await model.bindList('/Property', null, sorters, filter, { $select: 'ListingKey,City' }).requestContexts();
        return contexts.map((context) => context.getProperty('City'));
      };
      return {
        equal: await read([new Filter('City', FilterOperator.EQ, 'Ottawa')]),
        contains: await read([new Filter({ path: 'City', operator: FilterOperator.Contains, value1: 'TTA', caseSensitive: false })]),
        between: await read([new Filter('ListPrice', FilterOperator.BT, 500000, 1000000)], [new Sorter('ListPrice', true)]),
        both: await read([new Filter({ and: false, filters: [new Filter('City', FilterOperator.EQ, 'Ottawa'), new Filter('City', FilterOperator.StartsWith, 'Mont')] })], [new Sorter('City'), new Sorter('ListingKey', true)]),
        not: await read([new Filter('City', FilterOperator.NotContains, 'o')]),
        any: await read([new Filter({ path: 'Rooms', operator: FilterOperator.Any, variable: 'room', condition: new Filter('room/RoomType', FilterOperator.EQ, 'Kitchen') })]),
      };
    });
    assert.deepEqual(found, {
      equal: ['Ottawa', 'Ottawa'],
      contains: ['Ottawa', 'Ottawa'],
      between: ['Montréal', 'Toronto', 'Toronto'],
      both: ['Montréal', 'Ottawa', 'Ottawa'],
      not: ['Ottawa', 'Ottawa'],
      any: ['Toronto', 'Ottawa'],
    });
  });

  test('searches', async () => {
    const found = await run(async () => (await openModel().bindList('/Property', null, [], [], { $search: 'King', $select: 'ListingKey' }).requestContexts()).length);
    assert.equal(found, 2);
  });

  test('expands, with options and a navigation property of one record', async () => {
    const listing = await run(async () => {
      const parameters = { $select: 'ListingKey', $expand: { Rooms: { $select: 'RoomType', $orderby: 'RoomType', $count: true }, ListAgent: { $select: ['MemberKey'] }, Media: { $select: 'MediaKey' } } };
      const { Rooms, ListAgent, Media, 'Rooms@odata.count': count } = await openModel().bindContext("/Property('3')", null, parameters).requestObject();
      return { count, rooms: Rooms.map(({ RoomType }) => RoomType), agent: ListAgent.MemberKey, media: Media.map(({ MediaKey }) => MediaKey) };
    });
    assert.deepEqual(listing, { count: '2', rooms: ['Bedroom', 'Kitchen'], agent: 'M1', media: ['P1', 'P2'] });
  });

  test('reads what a record leads to', async () => {
    const rooms = await run(async () => {
      const model = openModel();
      const [listing] = await model.bindList('/Property', null, [], [new Filter('ListingKey', FilterOperator.EQ, '3')]).requestContexts();
      const contexts = await model.bindList('Rooms', listing, [], [], { $$ownRequest: true, $count: true }).requestContexts();
      return { rooms: contexts.map((context) => context.getProperty('RoomType')), path: contexts[0].getPath(), canonical: await contexts[0].requestCanonicalPath() };
    });
    assert.deepEqual(rooms, { rooms: ['Kitchen', 'Bedroom'], path: "/Property('3')/Rooms('R1')", canonical: "/PropertyRooms('R1')" });
  });

  test('groups and aggregates', async () => {
    const found = await run(async () => {
      const list = openModel().bindList('/Property', null, [], [], { $$aggregation: { group: { City: {} }, aggregate: { Total: { name: 'ListPrice', with: 'sum' }, Dearest: { name: 'ListPrice', with: 'max' } } } });
      return (await list.requestContexts()).map((context) => ['City', 'Total', 'Dearest'].map((name) => context.getProperty(name)));
    });
    assert.deepEqual(found, [['Montréal', '1000000.00', '1000000.00'], ['Ottawa', '100000399999.99', '99999999999.99'], ['Toronto', '1250000.50', '750000.50']]);
  });

  test('expands groups level by level, with a grand total', async () => {
    const found = await run(async () => {
      const aggregation = { groupLevels: ['City'], group: { ListingKey: {} }, aggregate: { Total: { name: 'ListPrice', with: 'sum', grandTotal: true, subtotals: true } } };
      const list = openModel().bindList('/Property', null, [], [], { $$aggregation: aggregation, $count: true });
      return (await list.requestContexts(0, 20)).map((context) => [context.getProperty('@$ui5.node.level'), context.getProperty('City'), context.getProperty('Total')]);
    });
    assert.deepEqual(found, [[0, undefined, '100002650000.49'], [1, 'Montréal', '1000000.00'], [1, 'Ottawa', '100000399999.99'], [1, 'Toronto', '1250000.50']]);
  });

  test('asks for what controls are bound to, and no more', async () => {
    const shown = await run(async () => {
      const [Element, CustomData] = await new Promise((resolve, reject) => sap.ui.require(['sap/ui/core/Element', 'sap/ui/core/CustomData'], (...found) => resolve(found), reject));
      const paths = ['City', 'ListPrice', 'ListAgent/MemberFirstName'];
      const parent = new Element({ customData: paths.map((path) => new CustomData({ value: { path } })) });
      parent.setModel(openModel({ autoExpandSelect: true }));
      parent.bindObject("/Property('3')");
      await new Promise((received) => parent.getObjectBinding().attachDataReceived(received));
      // What was not asked for comes later, by a request of its own.
      const late = await parent.getBindingContext().requestProperty('StreetName');
      return [...parent.getCustomData().map((each) => each.getValue()), late];
    });
    assert.deepEqual(shown, ['Toronto', '500000.00', 'Anna', 'King']);
    assert.match(opened.sent.join('\n'), /GET Property\('3'\)\?\$select=City,ListPrice,ListingKey&\$expand=ListAgent\(\$select=MemberFirstName,MemberKey\)/);
  });

  test('shows the message of an error', async () => {
    await assert.rejects(run(async () => openModel().bindContext("/Property('none')").requestObject()), /no Property with that key/);
  });
});

describe('writing', () => {
  test('creates a record', async () => {
    const created = await run(async (values) => {
      const model = openModel();
      const list = model.bindList('/Property', null, [], [], { $select: 'ListingKey,City,StandardStatus' });
      const context = list.create(values);
      await context.created();
      const status = context.getProperty('StandardStatus');
      return { path: context.getPath(), status, again: await model.bindContext(context.getPath()).requestObject('City') };
    }, draft('Created'));
    assert.match(created.path, /^\/Property\('Draft\d+'\)$/);
    assert.deepEqual([created.status, created.again], ['Incomplete', 'Toronto']);
  });

  test('creates a record with those that belong to it', async () => {
    const created = await run(async (serviceUrl) => {
      const model = openModel({ updateGroupId: 'changes', autoExpandSelect: true, serviceUrl });
      const order = model.bindList('/Orders', null, [], [], { $select: 'Number,Buyer' }).create({ Buyer: 'Deep' });
      const lines = model.bindList('Lines', order, [], [], { $select: 'Id,Article' });
      lines.create({ Id: 901, Article: 'pen' });
      lines.create({ Id: 902, Article: 'ink' });
      await model.submitBatch('changes');
      await order.created();
      const stored = await openModel({ serviceUrl }).bindContext(order.getPath(), null, { $expand: { Lines: { $select: 'Id' } } }).requestObject('Lines');
      return { number: order.getProperty('Number'), stored: stored.map(({ Id }) => Id) };
    }, `${opened.orders.root}/`);
    assert.deepEqual(created, { number: 'O1', stored: [901, 902] });
    assert.match(opened.sent.find((request) => request.includes('POST Orders')), /"Lines":\[/);
  });

  test('changes a record that nobody else has changed', async () => {
    const changed = await run(async (values) => {
      const model = openModel({ updateGroupId: 'changes' });
      const context = model.bindList('/Property').create(values);
      await model.submitBatch('changes');
      await context.created();
      const before = context.getProperty('@odata.etag');
      const done = Promise.all([context.setProperty('ListPrice', '123456.78'), context.setProperty('ChangedByMemberKey', 'M1')]);
      await model.submitBatch('changes');
      await done;
      return { before, after: context.getProperty('@odata.etag'), price: context.getProperty('ListPrice') };
    }, draft('Changed'));
    assert.equal(changed.price, '123456.78');
    assert.notEqual(changed.after, changed.before);
    assert.ok(opened.sent.at(-1).includes(`If-Match:${changed.before}`));
  });

  test('is told that somebody else has changed the record', async () => {
    const statuses = await run(async (values) => {
      const [mine, other] = [openModel({ updateGroupId: 'changes' }), openModel({ updateGroupId: 'changes' })];
      const created = mine.bindList('/Property').create(values, true);
      await mine.submitBatch('changes');
      await created.created();
      const [first, second] = [mine, other].map((model) => model.bindContext(created.getPath()).getBoundContext());
      await Promise.all([first.requestObject(), second.requestObject()]);
      const statuses = [];
      for (const [model, context, price] of [[mine, first, '1'], [other, second, '2']]) {
        const done = Promise.all([context.setProperty('ListPrice', price), context.setProperty('ChangedByMemberKey', 'M1')]).then(() => 200, ({ status }) => status);
        await model.submitBatch('changes');
        statuses.push(await done);
      }
      return statuses;
    }, draft('Twice'));
    assert.deepEqual(statuses, [200, 412]);
  });

  test('deletes a record', async () => {
    const status = await run(async (values) => {
      const model = openModel();
      const context = model.bindList('/Property').create(values);
      await context.created();
      const path = context.getPath();
      await context.delete();
      return openModel().bindContext(path).requestObject().then(() => 200, (error) => error.status);
    }, draft('Deleted'));
    assert.equal(status, 404);
  });

  test('sends changes that belong together in one change set', async () => {
    const prices = await run(async () => {
      const model = openModel({ updateGroupId: 'changes' });
      const contexts = ["/Property('4')", "/Property('5')"].map((path) => model.bindContext(path).getBoundContext());
      await Promise.all(contexts.map((context) => context.requestObject()));
      const done = contexts.flatMap((context) => [context.setProperty('CrossStreet', 'Together'), context.setProperty('ChangedByMemberKey', 'M1')]);
      await model.submitBatch('changes');
      await Promise.all(done);
      const fresh = openModel();
      return Promise.all(contexts.map((context) => fresh.bindContext(context.getPath()).requestObject('CrossStreet')));
    });
    assert.deepEqual(prices, ['Together', 'Together']);
    assert.match(opened.sent.join('\n'), /multipart\/mixed;boundary=changeset/);
  });

  test('undoes a change set of which one change is refused', async () => {
    const found = await run(async () => {
      const model = openModel({ updateGroupId: 'changes' });
      const contexts = ["/Property('4')", "/Property('5')"].map((path) => model.bindContext(path).getBoundContext());
      await Promise.all(contexts.map((context) => context.requestObject()));
      const refused = contexts.map((context) => context.setProperty('ChangedByMemberKey', 'M1').catch(({ status }) => status));
      contexts[0].setProperty('CrossStreet', 'Halved').catch(() => {});
      contexts[1].setProperty('StandardStatus', 'Incomplete').catch(() => {});
      await model.submitBatch('changes');
      return { statuses: await Promise.all(refused), street: await openModel().bindContext("/Property('4')").requestObject('CrossStreet') };
    });
    assert.deepEqual(found, { statuses: [400, 400], street: 'Together' });
  });

  test('refreshes a record, and what a change has as side effects', async () => {
    const found = await run(async () => {
      const model = openModel();
      const context = model.bindContext("/Property('3')", null, { $expand: 'Rooms', $select: 'ListingKey,City' }).getBoundContext();
      await context.requestObject();
      await context.requestSideEffects(['City', 'Rooms']);
      const [listed] = await model.bindList('/Property', null, [], [], { $select: 'ListingKey,City' }).requestContexts(0, 1);
      await listed.requestRefresh();
      return [context.getProperty('City'), context.getObject('Rooms').length, listed.getProperty('City')];
    });
    assert.deepEqual(found, ['Toronto', 2, 'Toronto']);
  });
});

function run(inPage, argument) {
  return opened.page.evaluate(inPage, argument);
}
