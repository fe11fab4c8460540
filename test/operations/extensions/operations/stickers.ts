import type { StickersHandler } from '../../generated/operation-types.js';

export const stickers: StickersHandler = () => ({
  values: [
    { Text: 'b', Price: { Amount: 2, Currency: null } },
    { Text: 'a', Price: null },
  ],
});
