import type { GapsHandler } from '../../generated/operation-types.js';

export const gaps: GapsHandler = ({ in: numbers }) =>
  numbers.map((number) => (number === null ? null : { Amount: Number(number), Currency: 'EUR' }));
