import type { ArrivalHandler } from '../../generated/operation-types.js';

export const arrival: ArrivalHandler = () => ({
  value: { Id: 3, Name: 'Globe', Price: 50, Size: 'Large', Tags: ['x', 'y'], Cost: 20, ShelfId: 'top' },
});
