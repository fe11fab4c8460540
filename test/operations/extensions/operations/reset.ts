import type { ResetHandler } from '../../generated/operation-types.js';

export const reset: ResetHandler = async (_, { elevated }) => {
  for (const { Id } of await elevated.read('Items', { filter: 'ShelfId ne null' })) await elevated.update('Items', Id, { ShelfId: null });
};
