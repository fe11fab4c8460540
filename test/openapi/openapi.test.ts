import { readFileSync } from 'node:fs';
import test from 'ava';
import '../support/features.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { container } from '../../generated/index.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import type { FieldTable } from '../../runtime/edm/field.js';
import { buildDocument, versions } from '../../runtime/features/openapi/build-document.js';
import type { Json } from '../../runtime/features/openapi/json-document.js';
import { scopesOf } from '../../runtime/plan/caller.js';
import { run } from '../../runtime/tools/cli/openapi.js';

const metadata = JSON.parse(readFileSync('generated/metadata.json', 'utf8')) as Json;

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } };
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: Json } } };
}

function documentFor(scopes: Iterable<string>, options: Partial<Parameters<typeof buildDocument>[2]> = {}, model = container): Document {
  return buildDocument(model, metadata, {
    version: '3.1',
    caller: { subject: 'a', scopes: new Set(scopes) },
    root: 'https://a.example/odata',
    tokenUrl: 'https://a.example/oauth2/token',
    ...options,
  }) as unknown as Document;
}

const everything = documentFor(scopesOf(container));

function operationsOf({ paths }: Document): readonly string[] {
  return Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
}

for (const version of versions)
  test(`the document of version ${version} is valid`, async (t) => {
    const document = documentFor(scopesOf(container), { version });
    t.deepEqual(await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>), { valid: true });
  });

test('a path for each set and for its key, an operation for each method', (t) => {
  const paths = Object.keys(everything.paths);
  t.is(paths.length, 2 * Object.keys(container.entitySets).length + 1);
  t.is(paths.at(-1), '/$batch');
  const operations = operationsOf(everything);
  t.is(new Set(operations).size, operations.length);
  t.deepEqual(
    operations.filter((name) => name.endsWith('Property')),
    ['listProperty', 'createProperty', 'getProperty', 'updateProperty', 'deleteProperty'],
  );
});

test('limits and allowed values have the form of their type, in each version', (t) => {
  const { Property: property } = container.entityTypes;
  const added: FieldTable = {
    Share: { type: 'Edm.Decimal', minimum: '0', exclusiveMinimum: true, maximum: '1', exclusiveMaximum: true },
    Level: { type: 'Edm.Int32', nullable: true, allowedValues: ['1', '-2'] },
    Exact: { type: 'Edm.Int64', allowedValues: ['9007199254740993'] },
    Mark: { type: 'Edm.Guid', allowedValues: ['0000ABCD-0000-4000-8000-000000000001'] },
    exclusiveMinimum: { type: 'Edm.Date', minimum: '2020-01-01' },
  };
  const types = { ...container.entityTypes, Property: { ...property, fields: { ...property?.fields, ...added } } };
  const model = { ...container, entityTypes: types } as unknown as EntityContainer;
  const shown = (version: '3.1' | '3.0'): readonly unknown[] => {
    const { properties } = documentFor(scopesOf(container), { version }, model).components.schemas['Property'] ?? {};
    return Object.keys(added).map((name) => properties?.[name]);
  };
  const others = [
    { type: 'integer', format: 'int64' },
    { type: 'string', format: 'uuid', enum: ['0000abcd-0000-4000-8000-000000000001'] },
    { type: 'string', format: 'date' },
  ];
  t.deepEqual(shown('3.1'), [
    { type: 'number', format: 'decimal', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: ['integer', 'null'], format: 'int32', enum: [1, -2, null] },
    ...others,
  ]);
  t.deepEqual(shown('3.0'), [
    { type: 'number', format: 'decimal', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
    { type: 'integer', nullable: true, format: 'int32', enum: [1, -2, null] },
    ...others,
  ]);
});

test('a create that is possible along a navigation property only has a path', (t) => {
  const { Property: property, Media: media } = container.entityTypes;
  const { Media: navigation } = property?.navigation ?? {};
  const along = { ...property, navigation: { ...property?.navigation, Media: { ...navigation, insertable: true } } };
  const rules = { ...media?.rules, requiredOnCreate: ['MediaURL', 'ResourceRecordKey'] };
  const types = { ...container.entityTypes, Property: along, Media: { ...media, rules } };
  const model = { ...container, entityTypes: types } as unknown as EntityContainer;
  const document = documentFor([...scopesOf(container)], {}, model);
  const item = document.paths["/Property('{ListingKey}')/Media"];
  t.deepEqual(Object.keys(item ?? {}), ['parameters', 'post']);
  t.is(item?.['post']?.operationId, 'createProperty_Media');
  // The parent determines its key in the new record.
  t.deepEqual((document.components.schemas['MediaCreate'] as unknown as { allOf: [Json, Json] }).allOf[1], { required: ['MediaURL'] });
  t.is(documentFor([...scopesOf(container)], { readOnly: true }, model).paths["/Property('{ListingKey}')/Media"], undefined);
});

// RESO's Data Dictionary 2.0 has 41 types, one of them with 632 properties.
test('the document of a model as large as the Data Dictionary stays small', (t) => {
  const types = Object.entries(container.entityTypes);
  const more = Array.from({ length: 41 - types.length }, (_, index) => {
    const [, type] = types[index % types.length] ?? [];
    return [`Other${index}`, { ...type, name: `Other${index}`, entitySet: `Other${index}` }] as const;
  });
  const { Property: property } = container.entityTypes;
  const city = property?.fields['City'];
  const fields = Object.fromEntries(Array.from({ length: 632 }, (_, index) => [`PropertyOfAListing${index}`, city] as const));
  const model = {
    ...container,
    entityTypes: {
      ...container.entityTypes,
      ...Object.fromEntries(more),
      Property: { ...property, fields: { ...fields, ...property?.fields } },
    },
    entitySets: { ...container.entitySets, ...Object.fromEntries(more.map(([name]) => [name, name])) },
  } as EntityContainer;
  for (const version of versions) t.true(JSON.stringify(documentFor(scopesOf(model), { version }, model)).length < 700_000, version);
});

function schemesOf(document: Document): object {
  return (document.components as unknown as { readonly securitySchemes: object }).securitySchemes;
}

test('the ways to identify oneself are those of the settings', (t) => {
  t.deepEqual(Object.keys(schemesOf(everything)), ['bearer', 'clientCredentials']);
  const basic = documentFor(scopesOf(container), { basic: true });
  t.deepEqual(Object.keys(schemesOf(basic)), ['bearer', 'basic', 'clientCredentials']);
  t.true(
    Object.values(basic.paths).every(
      (item) => !JSON.stringify(item).includes('"security"') || JSON.stringify(item).includes('{"basic":[]}'),
    ),
  );
  const connector = documentFor(scopesOf(container), { basic: true, version: '2.0' }) as unknown as { readonly securityDefinitions: Json };
  t.deepEqual(connector.securityDefinitions['basic'], { type: 'basic' });
});

test('operations have ids of their own, whatever the names of sets', (t) => {
  const { Property: property } = container.entityTypes;
  if (property === undefined) throw new Error('The model has no Property.');
  const navigation = { ...property.navigation, Rooms: { target: 'PropertyRooms', collection: true, contains: true, join: {} } } as const;
  const model = {
    ...container,
    entityTypes: { ...container.entityTypes, Property: { ...property, navigation } },
    entitySets: { ...container.entitySets, Property_Rooms: 'PropertyRooms' },
  };
  const operations = operationsOf(documentFor(scopesOf(model), {}, model));
  t.is(new Set(operations).size, operations.length);
  t.deepEqual(
    operations.filter((name) => name.startsWith('listProperty_Rooms')),
    ['listProperty_Rooms', 'listProperty_Rooms_2'],
  );
});

test('properties and operations that a caller may not use are omitted', (t) => {
  const narrow = documentFor(['listing.read']);
  t.deepEqual(
    operationsOf(narrow).filter((name) => name.endsWith('Property')),
    ['listProperty', 'getProperty'],
  );
  const hidden = ['PrivateRemarks', 'ShowingInstructions'];
  t.deepEqual(
    hidden.filter((name) => Object.hasOwn(everything.components.schemas['Property']?.properties ?? {}, name)),
    hidden,
  );
  for (const name of [...hidden, 'listing.write', 'listing.read.all']) t.false(JSON.stringify(narrow).includes(name), name);
  t.deepEqual(documentFor([]).paths, {});
});

test('a service that only reads offers no changes', (t) => {
  const operations = operationsOf(documentFor(scopesOf(container), { readOnly: true }));
  t.deepEqual(
    operations.filter((name) => name.endsWith('Property')),
    ['listProperty', 'getProperty'],
  );
});

test('a document of some sets has no schema of the others', (t) => {
  const { paths, components } = documentFor(scopesOf(container), { sets: ['Media'] });
  t.deepEqual(Object.keys(paths), ['/Media', "/Media('{MediaKey}')"]);
  t.deepEqual(Object.keys(components.schemas), ['ODataError', 'Page', 'Media']);
});

test('a wide model has a document of less than 400 bytes a property', (t) => {
  const wide = { ...container, ...copies(41, 39) };
  const size = JSON.stringify(documentFor([], {}, wide)).length;
  t.true(size < 41 * 39 * 400, `${size} bytes`);
});

// Every set may be read and changed by anybody.
function copies(sets: number, fields: number): Pick<EntityContainer, 'entityTypes' | 'entitySets'> {
  const { Property: property } = container.entityTypes;
  if (property === undefined) throw new Error('The model has no Property.');
  const names = Array.from({ length: sets }, (_, index) => `Copy${index}`);
  const some = Object.fromEntries(Object.entries(property.fields).slice(0, fields));
  const permissions = { read: undefined, insert: undefined, update: undefined, delete: undefined };
  return {
    entitySets: Object.fromEntries(names.map((name) => [name, name])),
    entityTypes: {
      ...container.entityTypes,
      ...Object.fromEntries(names.map((name) => [name, { ...property, name, entitySet: name, fields: some, permissions }])),
    },
  };
}

// oxfmt-ignore
const mistakes: readonly { readonly args: readonly string[]; readonly message: string }[] = [
  { args: ['--version', '3.2'], message: "--version must be 3.1 or 3.0 or 2.0, not '3.2'." },
  { args: ['--sets', 'Media,Proprty'], message: 'The model has no entity set or singleton Proprty. Did you mean Property?' },
  { args: ['--url', 'api.example.com'], message: "--url must be the address of a service, not 'api.example.com'." },
];

for (const { args, message } of mistakes)
  test(`gable openapi ${args.join(' ')}`, async (t) => {
    await t.throwsAsync(run(args), { message });
  });
