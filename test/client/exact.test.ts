import test from 'ava';
import { createClient, decimal } from '../../client/index.js';
import { service as table } from '../../generated/client.js';
import { startService } from '../support/service.js';
import { equal } from './equal.js';

test('with decimals as text no digit is lost, in records, keys, bodies and calculated values', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const api = createClient(table, { baseUrl: service.listening, token: await service.token('write'), decimals: 'string' });
  const [dear] = await api.Property.find({
    select: ['ListingKey', 'ListPrice', 'TaxYear'],
    expand: { Rooms: { select: ['RoomArea'], top: 1 } },
    compute: { Half: (p) => p.ListPrice.div(2), Length: (p) => p.City.length() },
    filter: (p) => p.ListPrice.eq(decimal('99999999999.99')),
  }).all();
  t.is(dear?.ListPrice, '99999999999.99');
  equal<
    typeof dear,
    | undefined
    | {
        ListingKey: string;
        ListPrice: `${number}` | null;
        TaxYear: number | null;
        Rooms: { RoomArea: `${number}` | null }[];
        Half: `${number}` | null;
        Length: number | null;
      }
  >(true);
  const draft = { ListAgentKey: 'M1', ListOfficeKey: 'M1', PropertyType: 'x', StreetNumber: '1', StreetName: 'x', City: 'Guelph' };
  const { ListPrice } = await api.Property.create({ ...draft, ListPrice: String(dear?.ListPrice) }, { select: ['ListPrice'] });
  t.is(ListPrice, '99999999999.99');
  const [event] = await api.EntityEvent.find({ top: 1 }).all();
  t.is(typeof event?.EntityEventSequence, 'string');
  t.like(await api.EntityEvent.get(String(event?.EntityEventSequence)), event ?? {});
});

/** Never called: what must not compile where decimals are text. */
export function refused(): void {
  const api = createClient(table, { baseUrl: 'x', decimals: 'string' });
  // @ts-expect-error: a body has them as text too.
  api.Property.update('1', { ChangedByMemberKey: '1', ListPrice: 1 });
  // @ts-expect-error: a filter has numbers, since text in a filter is quoted.
  api.Property.find({ filter: (p) => p.ListPrice.gt('1') });
  // @ts-expect-error: the form is one of two.
  createClient(table, { baseUrl: 'x', decimals: 'text' });
  // @ts-expect-error: options have exact names.
  createClient(table, { baseUrl: 'x', decimal: 'string' });
}
