import type { OfferHandler } from '../../generated/operation-types.js';

export const offer: OfferHandler = () => ({ Amount: 9.5, Currency: 'EUR' });
