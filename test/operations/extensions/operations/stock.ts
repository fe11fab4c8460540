import type { StockHandler } from '../../generated/operation-types.js';

export const stock: StockHandler = ({ many }) => ({
  values: [
    { Id: 2, Name: 'Book', Price: 21, Size: 'Large' as const, Tags: ['b', 'a'], Cost: 7, ShelfId: 'top' },
    { Id: 900, Name: 'Atlas', Price: 30, Size: 'Small' as const, Tags: [], Cost: 8, ShelfId: 'low' },
    { Id: 901, Name: 'Zebra', Price: null, Size: null, Tags: ['a'], Cost: null, ShelfId: null },
    { '@odata.type': '#Kiosk.Gift', Id: 2, Name: 'Bow', Price: 1.5, Size: null, Tags: [], Cost: 1, ShelfId: 'top', Ribbon: 'blue' },
  ].slice(0, many),
});
