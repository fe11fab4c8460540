import type { BestHandler } from '../../generated/operation-types.js';

export const best: BestHandler = async (_, { records }) => {
  const [best] = await records.read('Items', { orderby: 'Price desc,Id', filter: 'Price ne null', select: 'Id', top: 1 });
  return best === undefined ? null : { from: 'Items', key: best.Id };
};
