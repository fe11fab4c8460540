// Depends on PostgreSQL: SQL.
import test from 'ava';
import { createClient, createMedia, readStream, ServiceError, writeStream, type Client, type SetOf } from '../../client/index.js';
import { startToy, type ToyService } from '../toy/toy-service.js';

/** An album as `gable types` would declare it, with a stream property. */
interface Album {
  Name: string;
  'Cover@odata.mediaContentType'?: string;
  'Cover@odata.mediaEtag'?: string;
}

/** A media entity. */
interface Photo {
  Id: number;
  Title: string | null;
  '@odata.mediaContentType'?: string;
  '@odata.mediaEtag'?: string;
}

interface Sets {
  Albums: SetOf<Album, 'Name', string, { Name: string }>;
  Photos: SetOf<Photo, 'Id', number, never, { Title?: string | null }, 'createMedia' | 'delete'>;
}

let service: ToyService;
let api: Client<Sets>;

test.before(async () => {
  service = await startToy('test/toy/album.xml');
  api = createClient<Sets>(
    { sets: { Albums: { key: { Name: 'String' } }, Photos: { key: { Id: 'Int32' } } } },
    { baseUrl: service.root, token: 'toy' },
  );
});
test.after.always(() => service.stop());

test('a stream is written and read, as a whole and in parts', async (t) => {
  const album = await api.Albums.create({ Name: "Summer '26" });
  const bytes = new Blob(['Hello, ', 'cover.']).stream();
  await writeStream(api.Albums, album, 'Cover', bytes, { type: 'text/plain' });
  const whole = await readStream(api.Albums, album.Name, 'Cover');
  t.deepEqual([whole.headers.get('content-type'), await whole.text()], ['text/plain', 'Hello, cover.']);
  const part = await readStream(api.Albums, album, 'Cover', { start: 7, end: 11 });
  t.deepEqual([part.headers.get('content-range'), await part.text()], ['bytes 7-11/13', 'cover']);
});

test('a stream that was read is replaced while it is as it was', async (t) => {
  await api.Albums.create({ Name: 'Winter' });
  await writeStream(api.Albums, 'Winter', 'Cover', 'one', { type: 'text/plain' });
  const album = await api.Albums.get('Winter');
  await writeStream(api.Albums, album, 'Cover', 'two', { type: 'text/plain' });
  const late = await t.throwsAsync(writeStream(api.Albums, album, 'Cover', 'three', { type: 'text/plain' }), { instanceOf: ServiceError });
  t.is(late?.status, 412);
  t.is(await (await readStream(api.Albums, 'Winter', 'Cover')).text(), 'two');
  // @ts-expect-error: Name is no stream.
  const refused = (): unknown => readStream(api.Albums, 'Winter', 'Name');
  void refused;
});

test('a media entity is created from its bytes', async (t) => {
  const photo = await createMedia(api.Photos, 'pixels', { type: 'image/png', select: ['Id'] });
  const stream = await readStream(api.Photos, photo, '$value');
  t.deepEqual([stream.headers.get('content-type'), await stream.text()], ['image/png', 'pixels']);
  await api.Photos.delete(photo);
  await t.throwsAsync(api.Photos.get(photo.Id), { instanceOf: ServiceError, message: /There is no Photo/ });
});
