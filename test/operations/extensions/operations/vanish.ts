import { Refusal } from 'gable/edm';
import type { VanishHandler } from '../../generated/operation-types.js';

export const vanish: VanishHandler = async ({ item, why }, { records }) => {
  await records.remove('Items', item.Id);
  if ((await records.find('Items', item.Id)) !== undefined) throw new Error('It is gone for those who look within the transaction.');
  if (why === null) throw new Refusal('Say why.', 'why', 409);
  // A change that fails leaves the others as they are.
  await records.create('Items', { Id: item.Id + 1000, Name: 'A name that is longer than it may be' } as never).catch(() => undefined);
};
