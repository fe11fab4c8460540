import type { PricesHandler } from '../../generated/operation-types.js';

export const prices: PricesHandler = () => [
  { Amount: 3, Currency: 'EUR' },
  { Amount: 1.25, Currency: null },
  { Amount: 2, Currency: 'EUR' },
];
