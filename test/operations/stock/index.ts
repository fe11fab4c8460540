import { defineExtension, Refusal, type Extensions } from 'gable/edm';
import type { Models } from '../generated/index.js';
import type { Item, Movement } from '../generated/types.js';
import { failWith } from './failing.js';

/** The SQLSTATEs with which the statement of the hook fails, by the number of a movement's pieces. */
const states = new Map([
  ['-1001', '22P02'],
  ['-1002', '23505'],
]);

/** A movement changes the count of its item. */
const movement = defineExtension<Movement, Models>({
  record: ({ changes }) => {
    if (changes.get('Pieces') === '0') throw new Refusal('A movement has pieces.');
    return [];
  },
  follow: async ({ before, after }, { Item }) => {
    const [id, pieces] = [Number((after ?? before)?.get('ItemId')), Number(after?.get('Pieces') ?? 0) - Number(before?.get('Pieces') ?? 0)];
    const state = states.get(String(after?.get('Pieces')));
    if (state !== undefined) await Item.sequelize?.query(failWith(state));
    if (id >= 100) await Item.increment({ Count: pieces }, { where: { Id: id } });
    const item = await Item.findOne({ where: { Id: id } });
    if (pieces === 13) throw new Refusal('Thirteen are not moved.', 'Pieces', 409);
    if ((item?.Count ?? 0) < -100) throw new Error('Too few.');
  },
});

/** Some items are not stored. */
const item = defineExtension<Item>({
  assign: ({ changes }) => {
    if (changes.get('Name') === 'Bomb') throw new Refusal('Bombs are not stored.', 'Name', 403);
    return {};
  },
});

export const extensions: Extensions = { Item: item, Movement: movement };
