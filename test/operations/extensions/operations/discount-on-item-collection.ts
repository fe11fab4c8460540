import type { DiscountOnItemCollectionHandler } from '../../generated/operation-types.js';

export const discountOnItemCollection: DiscountOnItemCollectionHandler = async ({ items, percent }, { elevated }) => {
  const found = await items.read({ filter: 'Price ne null', select: 'Id,Price' });
  for (const { Id, Price } of found)
    await elevated.update('Items', Id, { Price: Math.round((Price ?? 0) * (100 - Number(percent))) / 100 });
  return { from: 'Items', keys: found.map(({ Id }) => Id), orderby: 'Price desc' };
};
