import { bare, odata } from 'gable/edm';
import type { NearHandler } from '../../generated/operation-types.js';

export const near: NearHandler = ({ price, within }) => {
  const [low, high] = [Number(price) - Number(within), Number(price) + Number(within)];
  return { from: 'Items', filter: odata`Price ge ${low} and Price le ${high} and Cost ne ${bare('0')}` };
};
