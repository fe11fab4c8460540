import type { RestockHandler } from '../../generated/operation-types.js';

export const restock: RestockHandler = () => ({
  values: Array.from({ length: 120 }, (_, index) => ({
    Id: index,
    Name: `Box ${index}`,
    Price: null,
    Size: null,
    Tags: [],
    Cost: null,
    ShelfId: null,
  })),
});
