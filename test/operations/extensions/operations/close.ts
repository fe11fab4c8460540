import type { CloseHandler } from '../../generated/operation-types.js';

export const close: CloseHandler = async ({ shelf }, { records }) => {
  await records.remove('Shelves', shelf.Id);
};
