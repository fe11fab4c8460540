import { Refusal } from 'gable/edm';
import type { ReceiveHandler } from '../../generated/operation-types.js';

export const receive: ReceiveHandler = async ({ item: id, pieces }, { models: { Item, Movement }, records }) => {
  const [item, created] = await Item.findOrCreate({ where: { Id: id }, defaults: { Id: id, Name: 'New', Count: 0, Price: '1.50' } });
  item.Count += pieces;
  item.Counted = new Date('2026-01-31T09:00:00Z');
  await item.save();
  // What the models write is seen by the records, and the other way round.
  const seen = await records.find('Items', id);
  if (seen?.Count !== item.Count) throw new Error(`${seen?.Count} is not ${item.Count}.`);
  await records.create('Movements', { Id: 1000 + id, ItemId: id, Pieces: pieces });
  if ((await Movement.count({ where: { ItemId: id } })) !== 1) throw new Error('The movement is missing.');
  // A savepoint that is rolled back leaves the rest.
  await Item.sequelize
    ?.transaction(async () => {
      await Item.destroy({ where: {} });
      throw new Error('Not really.');
    })
    .catch((failure: Error) => {
      if (failure.message !== 'Not really.') throw failure;
    });
  if (item.Count < 0) throw new Refusal('There are not so many.', 'pieces', 409);
  return created ? item.Count : (await Item.findByPk(item['#id'], { rejectOnEmpty: true })).Count;
};
