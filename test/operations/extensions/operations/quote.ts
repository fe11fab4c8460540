import type { QuoteHandler } from '../../generated/operation-types.js';

export const quote: QuoteHandler = ({ item, price, sizes }) => JSON.stringify({ item, price, sizes });
