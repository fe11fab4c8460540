import { Refusal } from 'gable/edm';
import type { BestByCountHandler } from '../../generated/operation-types.js';

export const bestByCount: BestByCountHandler = async ({ count }, { records }) => {
  if (count < 0) throw new Refusal('A count is not negative.', 'count');
  const best = await records.read('Items', {
    orderby: 'Price desc,Id',
    filter: 'Price ne null',
    select: 'Id',
    expand: 'Shelf',
    top: count,
  });
  return { from: 'Items', keys: best.map(({ Id }) => Id), orderby: 'Price desc,Id' };
};
