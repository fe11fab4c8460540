import type { SignHandler } from '../../generated/operation-types.js';

export const sign: SignHandler = async ({ note, by }, { records }) => {
  await records.at().update({ Text: `${note.Text ?? ''}, ${by}` });
  return { bound: true };
};
