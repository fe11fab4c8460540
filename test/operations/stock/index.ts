import { defineExtension, type Extensions } from 'gable/edm';
import type { Models } from '../generated/index.js';
import type { Movement } from '../generated/types.js';

/** A movement changes the count of its item. */
const movement = defineExtension<Movement, Models>({
  follow: async ({ before, after }, { Item }) => {
    const [id, pieces] = [Number((after ?? before)?.get('ItemId')), Number(after?.get('Pieces') ?? 0) - Number(before?.get('Pieces') ?? 0)];
    if (id >= 100) await Item.increment({ Count: pieces }, { where: { Id: id } });
    const item = await Item.findOne({ where: { Id: id } });
    if ((item?.Count ?? 0) < -100) throw new Error('Too few.');
  },
});

export const extensions: Extensions = { Movement: movement };
