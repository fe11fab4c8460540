import type { RacksHandler } from '../../generated/operation-types.js';

export const racks: RacksHandler = () => ({
  values: [
    { Id: 'top', Label: 'Made' },
    { Id: 'none', Label: null },
  ],
});
