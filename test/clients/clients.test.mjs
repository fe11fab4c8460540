import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { OData } from '@odata/client';
import { FetchClient } from '@odata2ts/http-client-fetch';
import buildQuery from 'odata-query';
import createClient from 'openapi-fetch';
import { generateClients, generated, typeCheckOpenApi } from './generate.mjs';
import { draft, startListings } from './harness.mjs';

const require = createRequire(import.meta.url);
const { o } = require('o.js');
const { asc } = require('@sap-cloud-sdk/odata-v4');

let listings;

before(async () => {
  listings = await startListings();
  await generateClients(listings);
});

after(() => listings.stop());

describe('odata-query', () => {
  const queries = [
    { query: { filter: { City: 'Toronto' } }, count: 3 },
    { query: { filter: { City: "O'Brien & Co #1+2" } }, count: 0 },
    { query: { filter: { ListPrice: { ge: 500000, lt: 1000000 } } }, count: 2 },
    { query: { filter: { or: [{ City: 'Ottawa' }, { City: 'Montréal' }] } }, count: 3 },
    { query: { filter: { not: { City: 'Toronto' } } }, count: 3 },
    { query: { filter: { City: { in: ['Ottawa', 'Montréal'] } } }, count: 3 },
    { query: { filter: { 'startswith(City,\'Ott\')': { eq: true } } }, count: 2 },
    { query: { filter: { Rooms: { any: { RoomType: 'Kitchen' } } } }, count: 2 },
    { query: { select: ['ListingKey', 'City'], orderBy: ['City desc', 'ListingKey'], top: 2 }, count: 2 },
    { query: { expand: { Media: { select: ['MediaKey'], orderBy: 'Order' } }, top: 1 }, count: 1 },
    { query: { search: 'King', skip: 1 }, count: 1 },
  ];
  for (const { query, count } of queries) {
    const text = buildQuery(query);
    test(text, async () => {
      const response = await fetch(`${listings.root}/Property${text}`, { headers: listings.headers });
      assert.equal(response.status, 200);
      assert.equal((await response.json()).value.length, count);
    });
  }
});

describe('o.js', () => {
  test('reads a collection with options', async () => {
    const found = await handler().get('Property').query({ $filter: "City eq 'Ottawa'", $select: 'ListingKey', $orderby: 'ListingKey' });
    assert.deepEqual(found.map(({ ListingKey }) => ListingKey), ['6', 'Draft2']);
  });

  test('reads a record and a count', async () => {
    assert.equal((await handler().get("Property('3')").query()).City, 'Toronto');
    assert.equal(Number(await handler().get('Office/$count').query()), 2);
  });

  test('creates, changes and deletes', async () => {
    const created = await handler().post('Property', draft('o.js')).query();
    assert.match(created.ListingKey, /^Draft\d+$/);
    await handler().patch(`Property('${created.ListingKey}')`, { ChangedByMemberKey: 'M1', ListPrice: 7 }).query();
    assert.equal((await handler().get(`Property('${created.ListingKey}')`).query()).ListPrice, 7);
    await handler().delete(`Property('${created.ListingKey}')`).query();
    await assert.rejects(async () => handler().get(`Property('${created.ListingKey}')`).query(), ({ status }) => status === 404);
  });

  test('sends batches', async () => {
    const answers = await handler({ batch: batchConfig(false) }).get("Office('O1')").get("Member('M1')").batch();
    assert.deepEqual(answers.map(({ status }) => status), [200, 200]);
    assert.equal(answers[0].body.OfficeKey, 'O1');
  });

  test('sends change sets', async () => {
    await handler({ batch: batchConfig(true) }).patch("Property('4')", { ChangedByMemberKey: 'M1', CrossStreet: 'o.js' }).patch("Property('5')", { ChangedByMemberKey: 'M1', CrossStreet: 'o.js' }).batch();
    assert.equal((await handler().get('Property').query({ $filter: "CrossStreet eq 'o.js'" })).length, 2);
  });
});

describe('@odata/client', () => {
  test('queries a set', async () => {
    const set = client().getEntitySet('Property');
    const found = await set.query(client().newOptions().filter(client().newFilter().field('City').eq('Ottawa')).select(['ListingKey']).orderby('ListingKey', 'asc'));
    assert.deepEqual(found.map(({ ListingKey }) => ListingKey), ['6', 'Draft2']);
  });

  test('retrieves and counts', async () => {
    const set = client().getEntitySet('Office');
    assert.equal((await set.retrieve('O1')).OfficeName, 'Lakeside Realty');
    assert.equal(await set.count(), 2);
    assert.equal(await set.count(client().newFilter().field('OfficeCity').eq('Ottawa')), 1);
  });

  test('creates, updates and deletes', async () => {
    const set = client().getEntitySet('Property');
    const { ListingKey: key } = await set.create(draft('client'));
    await set.update(key, { ChangedByMemberKey: 'M1', ListPrice: 8 });
    assert.equal((await set.retrieve(key)).ListPrice, 8);
    await set.delete(key);
    await assert.rejects(set.retrieve(key), /no Property with that key/);
  });

  test('sends batches in both formats', async () => {
    for (const method of ['execBatchRequests', 'execBatchRequestsJson']) {
      const answers = await client()[method](await batchRequests());
      assert.deepEqual(answers.map(({ status }) => status), [200, 201], method);
      assert.equal((await answers[0].json()).value.length, 2);
    }
  });
});

describe('odata2ts', () => {
  test('queries with query objects', async () => {
    const { data } = await service().Property().query((builder, q) => builder.select('ListingKey', 'City').filter(q.City.eq('Ottawa')).orderBy(q.ListingKey.asc()).count());
    assert.deepEqual(data.value.map(({ ListingKey }) => ListingKey), ['6', 'Draft2']);
    assert.equal(data['@odata.count'], 2);
  });

  test('expands', async () => {
    const { data } = await service().Property('3').query((builder) => builder.select('ListingKey').expand('Rooms'));
    assert.equal(data.Rooms.length, 2);
  });

  test('creates, patches and deletes', async () => {
    const created = await service().Property().create(draft('odata2ts'));
    assert.equal(created.status, 201);
    const one = service().Property(created.data.ListingKey);
    assert.ok((await one.patch({ ChangedByMemberKey: 'M1', ListPrice: 9 })).status < 300);
    assert.equal((await one.query()).data.ListPrice, 9);
    assert.equal((await one.delete()).status, 204);
    await assert.rejects(one.query(), /no Property with that key/);
  });

  test('shows the message of an error', async () => {
    await assert.rejects(service().Property().create({ ...draft('x'), City: null }), /not saved due to bad data/);
  });
});

describe('SAP Cloud SDK', () => {
  test('reads all with options', async () => {
    const { propertyApi } = api();
    const { schema } = propertyApi;
    const found = await send(propertyApi.requestBuilder().getAll()).select(schema.LISTING_KEY).filter(schema.CITY.equals('Ottawa')).orderBy(asc(schema.LISTING_KEY)).top(5).execute(destination());
    assert.deepEqual(found.map(({ listingKey }) => listingKey).sort(), ['6', 'Draft2']);
  });

  test('reads by a named key, and counts', async () => {
    const { propertyApi, officeApi } = api();
    assert.equal((await send(propertyApi.requestBuilder().getByKey('3')).execute(destination())).city, 'Toronto');
    assert.equal(await send(officeApi.requestBuilder().getAll().count()).execute(destination()), 2);
  });

  test('creates, updates with an ETag, and deletes', async () => {
    const { propertyApi } = api();
    const builder = propertyApi.entityBuilder().fromJson({ listAgentKey: 'M1', listOfficeKey: 'M2', propertyType: 'Residential', streetNumber: '1', streetName: 'SAP', city: 'Toronto' });
    const created = await send(propertyApi.requestBuilder().create(builder)).execute(destination());
    created.changedByMemberKey = 'M1';
    created.crossStreet = 'Walldorf';
    const updated = await send(propertyApi.requestBuilder().update(created)).execute(destination());
    assert.equal(updated.crossStreet, 'Walldorf');
    await send(propertyApi.requestBuilder().delete(updated.listingKey)).execute(destination());
  });

  test('sends a batch', async () => {
    const { officeApi } = api();
    const { batch } = generated('sap/Listing/BatchRequest.js');
    const [answer] = await send(batch(send(officeApi.requestBuilder().getAll()))).execute(destination());
    assert.ok(answer.isSuccess());
    assert.equal(answer.as(officeApi).length, 2);
  });
});

function program(property) {
  return `export type Value = paths["/Property('{ListingKey}')"]['get']['responses'][200]['content']['application/json']['${property}'];`;
}

describe('openapi-typescript and openapi-fetch', () => {
  for (const version of ['3.1', '3.0'])
    test(`the types of version ${version} compile, and know the properties`, async () => {
      assert.deepEqual(await typeCheckOpenApi(listings, version, program('City')), []);
      assert.equal((await typeCheckOpenApi(listings, version, program('Town'))).length, 1);
    });

  test('reads, creates, updates and deletes', async () => {
    const openApi = createClient({ baseUrl: listings.root, headers: listings.headers });
    const { data } = await openApi.GET('/Property', { params: { query: { $filter: "City eq 'Ottawa'", $select: 'ListingKey', $orderby: 'ListingKey' } } });
    assert.deepEqual(data.value.map(({ ListingKey }) => ListingKey), ['6', 'Draft2']);
    const created = await openApi.POST('/Property', { body: draft('openapi') });
    const params = { path: { ListingKey: created.data.ListingKey } };
    assert.equal((await openApi.PATCH("/Property('{ListingKey}')", { params, body: { ChangedByMemberKey: 'M1', ListPrice: 7 } })).response.status, 200);
    assert.equal((await openApi.GET("/Property('{ListingKey}')", { params })).data.ListPrice, 7);
    assert.equal((await openApi.DELETE("/Property('{ListingKey}')", { params })).response.status, 204);
    assert.equal((await openApi.GET("/Property('{ListingKey}')", { params })).error.error.code, '1404');
  });
});

function handler(config = {}) {
  return o(`${listings.root}/`, { headers: { ...listings.headers, 'Content-Type': 'application/json' }, ...config });
}

function batchConfig(useChangset) {
  return { endpoint: '$batch', headers: new Headers({ ...listings.headers, 'Content-Type': 'multipart/mixed' }), boundaryPrefix: 'batch_', changsetBoundaryPrefix: 'changset_', useChangset, useRelativeURLs: false };
}

function client() {
  return OData.New4({ serviceEndpoint: `${listings.root}/`, commonHeaders: listings.headers });
}

function service() {
  return new (generated('odata2ts/ListingService.js').ListingService)(new FetchClient({ headers: listings.headers }), listings.root);
}

function destination() {
  return { url: new URL(listings.root).origin };
}

function api() {
  return generated('sap/Listing/service.js').listing();
}

function send(request) {
  return request.setBasePath('/odata').addCustomHeaders(listings.headers);
}

async function batchRequests() {
  return [
    await client().newBatchRequest({ collection: 'Office', method: 'GET' }),
    await client().newBatchRequest({ collection: 'Property', method: 'POST', entity: draft('batch') }),
  ];
}
