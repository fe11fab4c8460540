import type { TotalHandler } from '../../generated/operation-types.js';

export const total: TotalHandler = async ({ items }) => {
  const prices = (await items.read({ select: 'Price' })).map(({ Price }) => Price ?? 0);
  return { Amount: prices.reduce((sum, price) => sum + price, 0), Currency: 'EUR' };
};
