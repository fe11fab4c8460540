import type { DiscountHandler } from '../../generated/operation-types.js';

export const discount: DiscountHandler = async ({ item, percent, reason }, { elevated }) => {
  const price = (item.Price ?? 0) * (1 - Number(percent) / 100);
  await elevated.update('Items', item.Id, {
    Price: Math.round(price * 100) / 100,
    ...(reason != null && { Tags: [...item.Tags, reason] }),
  });
  return { from: 'Items', key: item.Id };
};
