import { Refusal } from 'gable/edm';
import type { StoreHandler } from '../../generated/operation-types.js';

export const store: StoreHandler = async ({ id, name, size, price, tags }, { records }) => {
  if (name === 'Dust') throw new Refusal('Dust is not for sale.', 'name');
  if (name === 'Secret') throw new Error('What a client must not see.');
  if (name === 'Slow') await records.create('Items', { Id: id, Name: name }).then(() => new Promise(() => undefined));
  await records.create('Items', { Id: id, Name: name, Size: size, Price: price?.Amount ?? null, Tags: [...tags] });
  return { from: 'Items', key: id, created: true };
};
