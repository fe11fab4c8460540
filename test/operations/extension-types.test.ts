// Compiling this file is the test: each directive must be needed, and each `equal` must hold.
import test from 'ava';
import { defineExtension } from '../../runtime/edm/index.js';
import type { Property } from '../../generated/types.js';
import { equal } from '../client/equal.js';

test('hooks have the names and the stored form of properties', (t) => {
  const extension = defineExtension<Property>({
    assign: ({ before, changes }) => {
      const city = changes.get('City');
      equal<typeof city, string | undefined>(true);
      const price = before?.get('ListPrice');
      equal<typeof price, string | null | undefined>(true);
      const heating = changes.get('Heating');
      equal<typeof heating, readonly string[] | undefined>(true);
      // @ts-expect-error: a property of another name.
      changes.get('Citty');
      // @ts-expect-error: related records are not stored with it.
      changes.get('Media');
      return changes.has('Heating') ? { Heating: ['Gas'], ListPrice: null } : {};
    },
    record: ({ after }) => {
      // @ts-expect-error: likewise in the other hooks.
      after?.get('Citty');
      return [];
    },
  });
  const change = { before: undefined, id: '1', now: '', member: undefined };
  t.deepEqual(
    extension.assign?.({ ...change, changes: new Map([['Heating', []]]) }),
    new Map([
      ['Heating', ['Gas']],
      ['ListPrice', null],
    ] as never),
  );
});

// Never called: what must not compile.
export const refused = [
  // @ts-expect-error: a city is not null.
  defineExtension<Property>({ assign: () => ({ City: null }) }),
  // @ts-expect-error: values are stored as text.
  defineExtension<Property>({ assign: () => ({ ListPrice: 5 }) }),
];
