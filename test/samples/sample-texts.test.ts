import test from 'ava';
import { copyCell, type CopyValue } from '../../runtime/database/copy.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';
import type { Field } from '../../runtime/edm/index.js';
import { plausibleText } from '../../runtime/tools/samples/sample-texts.js';
import { sampleValue } from '../../runtime/tools/samples/sample-value.js';

// oxfmt-ignore
/** Names of properties in the spellings of several vendors, and the second sample of each. */
const cases: { readonly [name: string]: string | undefined } = {
  FullName: 'Boris Brown', MemberFullName: 'Boris Brown', ContactName: 'Boris Brown', FirstName: 'Boris', GivenName: 'Boris', LastName: 'Brown', Surname: 'Brown',
  Email: 'boris.brown@example.com', EMailAddress: 'boris.brown@example.com', emailaddress1: undefined, Email_Address: 'boris.brown@example.com', MemberEmail: 'boris.brown@example.com',
  Phone: '+1 555 0000101', HomePhone: '+1 555 0000101', MobilePhone: '+1 555 0000101', FaxNumber: '+1 555 0000101',
  City: 'Boston', ShipCity: 'Boston', HomeTown: 'Boston', Country: 'United States', CountryOrRegion: 'United States', CountryCode: 'US',
  PostalCode: '10002', ZipCode: '10002', ShipPostalCode: '10002', Street: '2 Main Street', Address: '2 Main Street', AddressLine1: '2 Main Street',
  CountryRegion: 'United States', StateOrProvince: 'MA', ShipRegion: 'MA', Emails: 'boris.brown@example.com', UnparsedAddress: '2 Main Street, Boston', PublicRemarks: 'Ask for the details.',
  CompanyName: 'Brown Logistics', Currency: 'USD', WebSite: 'https://example.com/2', JobTitle: 'Engineer',
  Name: undefined, Title: undefined, State: undefined, Capacity: undefined, EmailSent: undefined, CityCode: undefined, IPAddress: undefined, Description: undefined,
};

test('texts of samples follow from the words of a name', (t) => {
  t.deepEqual(Object.fromEntries(Object.keys(cases).map((name) => [name, plausibleText(name, 1)])), cases);
});

test('names and mail addresses stay different from record to record', (t) => {
  for (const name of ['FullName', 'Email', 'CompanyName', 'Phone', 'Street'])
    t.is(new Set(Array.from({ length: 1_000 }, (_, index) => plausibleText(name, index))).size, 1_000, name);
});

test('a text that does not fit its property is replaced, and keys keep their numbers', (t) => {
  const place = { container: {} as EntityContainer, index: 1, depth: 0 };
  const field = { type: 'Edm.String' } as const;
  t.is(sampleValue(field, { ...place, name: 'FullName' }), 'Boris Brown');
  t.is(sampleValue({ ...field, maxLength: 5 }, { ...place, name: 'FullName' }), 'Ful 2');
  t.is(sampleValue({ ...field, maxLength: 2 }, { ...place, name: 'Country' }), '2');
  t.is(sampleValue({ ...field, pattern: '^[A-Z]{2}$' }, { ...place, name: 'Country' }), 'US');
  t.is(sampleValue(field, { ...place, name: 'Email', isKey: true }), '2');
  t.is(sampleValue({ type: 'Edm.Binary', maxLength: 1 }, { ...place, index: 10, name: 'Criticality' }), 'MQ');
});

// oxfmt-ignore
/** Numbers and dates by name, and those of the second sample within the facets. */
const numbers: readonly { readonly name: string; readonly field: Field; readonly expected: string }[] = [
  { name: 'UnitPrice', field: { type: 'Edm.Decimal', precision: 19, scale: 4 }, expected: '56.95' },
  { name: 'UnitPrice', field: { type: 'Edm.Decimal', precision: 3, scale: 2 }, expected: '2.5' },
  { name: 'ListPrice', field: { type: 'Edm.Decimal', precision: 14, scale: 2 }, expected: '537500' },
  { name: 'Budget', field: { type: 'Edm.Single' }, expected: '45500' },
  { name: 'YearBuilt', field: { type: 'Edm.Int64' }, expected: '1997' },
  { name: 'YearBuilt', field: { type: 'Edm.Byte' }, expected: '2' },
  { name: 'YearBuilt', field: { type: 'Edm.Int32', minimum: '2000' }, expected: '2000' },
  { name: 'BedroomsTotal', field: { type: 'Edm.Int64' }, expected: '2' },
  { name: 'Longitude', field: { type: 'Edm.Decimal', precision: 12, scale: 8 }, expected: '-79.5975' },
  { name: 'Weight', field: { type: 'Edm.Double' }, expected: '2.25' },
];

for (const { name, field, expected } of numbers)
  test(`${name} as ${JSON.stringify(field)}`, (t) => {
    const place = { container: {} as EntityContainer, index: 1, depth: 0, name };
    t.deepEqual(sampleValue(field, place), { kind: 'number', text: expected });
    t.deepEqual(sampleValue({ type: 'Edm.Int32' }, { ...place, isKey: true }), { kind: 'number', text: '2' });
  });

for (const dates of [
  ['BirthDate', 'HireDate'],
  ['OrderDate', 'ShippedDate', 'RequiredDate'],
  ['StartsAt', 'EndsAt'],
  ['ListingContractDate', 'PurchaseContractDate', 'CloseDate', 'ModificationTimestamp'],
])
  test(`dates in their order: ${dates.join()}`, (t) => {
    const found = dates.map((name) => sampleValue({ type: 'Edm.Date' }, { container: {} as EntityContainer, index: 1, depth: 0, name }));
    t.deepEqual(found, [...new Set(found)].sort());
  });

test('a property called Name is the name of what has it', (t) => {
  const place = { container: {} as EntityContainer, index: 1, depth: 0, name: 'Name' };
  t.is(sampleValue({ type: 'Edm.String' }, { ...place, owner: 'City' }), 'Boston');
  t.is(sampleValue({ type: 'Edm.String' }, { ...place, owner: 'Airline' }), 'Airline 2');
});

const texts: readonly (readonly [cell: CopyValue, text: string])[] = [
  [null, '\\N'],
  [true, 't'],
  [false, 'f'],
  [12, '12'],
  ['', ''],
  ["O'Connor – Montréal", "O'Connor – Montréal"],
  // The text that looks like null must not become it.
  ['\\N', '\\\\N'],
  ['a\tb\nc\rd', 'a\\tb\\nc\\rd'],
  ['C:\\temp', 'C:\\\\temp'],
  [[], '{}'],
  [['Brick', 'Wood, painted', 'NULL', ''], '{"Brick","Wood, painted","NULL",""}'],
  [['a "b"', 'back\\slash', 'line\nend'], '{"a \\\\"b\\\\"","back\\\\\\\\slash","line\\nend"}'],
];

for (const [cell, text] of texts) {
  test(`COPY writes ${JSON.stringify(cell)}`, (t) => {
    t.is(copyCell(cell), text);
  });
}
