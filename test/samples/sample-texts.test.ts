import test from 'ava';
import { sampleValue } from '../../runtime/tools/samples/sample-value.js';
import { plausibleText } from '../../runtime/tools/samples/sample-texts.js';
import type { EntityContainer } from '../../runtime/edm/entity-container.js';

// prettier-ignore
/** Names of properties in the spellings of several vendors, and the second sample of each. */
const cases: { readonly [name: string]: string | undefined } = {
  FullName: 'Boris Brown', MemberFullName: 'Boris Brown', ContactName: 'Boris Brown', FirstName: 'Boris', GivenName: 'Boris', LastName: 'Brown', Surname: 'Brown',
  Email: 'boris.brown@example.com', EMailAddress: 'boris.brown@example.com', emailaddress1: undefined, Email_Address: 'boris.brown@example.com', MemberEmail: 'boris.brown@example.com',
  Phone: '+1 555 0000101', HomePhone: '+1 555 0000101', MobilePhone: '+1 555 0000101', FaxNumber: '+1 555 0000101',
  City: 'Boston', ShipCity: 'Boston', HomeTown: 'Boston', Country: 'United States', CountryOrRegion: 'United States', CountryCode: 'US',
  PostalCode: '10002', ZipCode: '10002', ShipPostalCode: '10002', Street: '2 Main Street', Address: '2 Main Street', AddressLine1: '2 Main Street',
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
});
