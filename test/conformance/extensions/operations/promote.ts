import type { PromoteHandler } from '../../generated/operation-types.js';

export const promote: PromoteHandler = async ({ party, level }, { records }) => {
  await records.update('Parties', party.Id, { Level: level });
  return { from: 'Parties', key: party.Id };
};
