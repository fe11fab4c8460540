import test from 'ava';
import { readModel } from '../../runtime/tools/mcp/model.js';
import { type Arguments, askService, tools } from '../../runtime/tools/mcp/mcp.js';

const model = readModel({
  $EntityContainer: 'House.Home',
  House: {
    $Alias: 'self',
    Thermostat: { $Kind: 'EntityType', Target: { $Type: 'Edm.Int32' } },
    Room: {
      $Kind: 'EntityType',
      $Key: ['Floor', 'Kind', 'Name', { City: 'Address/City' }],
      Floor: { $Type: 'Edm.Int32' },
      Kind: { $Type: 'self.Kind' },
      Name: { $Type: 'self.RoomName' },
    },
    Door: { $Kind: 'EntityType', $Key: ['Number'], Number: { $Type: 'self.DoorNumber' } },
    Kind: { $Kind: 'EnumType', Kitchen: 0 },
    RoomName: { $Kind: 'TypeDefinition', $UnderlyingType: 'Edm.String' },
    DoorNumber: { $Kind: 'TypeDefinition', $UnderlyingType: 'Edm.Int16' },
    Home: {
      $Kind: 'EntityContainer',
      Thermostat: { $Type: 'self.Thermostat' },
      Rooms: { $Collection: true, $Type: 'self.Room' },
      Doors: { $Collection: true, $Type: 'self.Door' },
    },
  },
});

// The requests that a tool sends, percent-decoded.
async function requestsOf(name: string, given: Arguments): Promise<string> {
  const sent: string[] = [];
  const ask = (method: string, path: string): Promise<string> =>
    Promise.resolve(String(sent.push(`${method} ${decodeURIComponent(path)}`)));
  await tools[name]?.run(given, { ask, model });
  return sent.join();
}

test('a query of a singleton has no size, which a single record refuses', async (t) => {
  t.is(await requestsOf('query', { set: 'Thermostat', select: 'Target' }), 'GET Thermostat?$select=Target');
  t.is(await requestsOf('query', { set: 'Rooms', select: 'Floor' }), 'GET Rooms?$select=Floor&$top=20');
});

test('a singleton is read and changed without a key', async (t) => {
  t.is(await requestsOf('get', { set: 'Thermostat', select: 'Target' }), 'GET Thermostat?$select=Target');
  t.is(await requestsOf('update', { set: 'Thermostat', changes: { Target: 20 }, etag: '*' }), 'PATCH Thermostat');
});

test('values of a key have quotes by their types, also those of enumerations and type definitions', async (t) => {
  const key = { Floor: 1, Kind: 'Kitchen', Name: "Anna's", City: 'Oslo' };
  t.is(await requestsOf('get', { set: 'Rooms', key }), "GET Rooms(Floor=1,Kind='Kitchen',Name='Anna''s',City='Oslo')?");
  t.is(await requestsOf('delete', { set: 'Doors', key: 7, etag: '*' }), 'DELETE Doors(7)');
});

test('a key that is missing, misspelt or too much is left to the service, which names the right one', async (t) => {
  t.is(await requestsOf('get', { set: 'Doors' }), 'GET Doors()?');
  t.is(await requestsOf('get', { set: 'Doors', key: { number: 7, x: 1 } }), "GET Doors(number='7',x='1')?");
  t.is(await requestsOf('get', { set: 'Thermostat', key: 1 }), "GET Thermostat('1')?");
});

test('an enumeration is described by its members', (t) => {
  t.like(model.describe('self.Kind'), { name: 'self.Kind', values: ['Kitchen'] });
});

test('names of JavaScript and the entity container are no types', (t) => {
  for (const name of ['__proto__', 'constructor', 'self.__proto__', 'Home'])
    t.throws(() => model.describe(name), { message: /^There is no entity set and no type / }, name);
});

test('a service that has stopped is named as the fault', async (t) => {
  const error = await t.throwsAsync(askService('http://127.0.0.1:1/odata', '')('GET', 'Doors'));
  t.regex(String(error?.message), /^the service does not answer: (?!fetch failed)/);
});
