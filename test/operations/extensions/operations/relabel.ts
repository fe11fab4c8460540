import type { RelabelHandler } from '../../generated/operation-types.js';

export const relabel: RelabelHandler = async ({ shelf, label }, { records }) => {
  await records.update('Shelves', shelf.Id, { Label: label });
};
