import type { MarginHandler } from '../../generated/operation-types.js';

export const margin: MarginHandler = ({ item }) => (item.Price === null || item.Cost === null ? null : (item.Price - item.Cost).toFixed(2));
