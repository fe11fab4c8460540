import { odata } from 'gable/edm';
import type { PinnedHandler } from '../../generated/operation-types.js';

export const pinned: PinnedHandler = async ({ shelf }, { records }) => {
  const path = odata`Shelves(${shelf.Id})/Notes`;
  const [first] = await records.at<{ readonly No: number }>(path).read({ orderby: 'No', top: 1 });
  return { path, filter: `No ne ${first?.No ?? 0}` };
};
