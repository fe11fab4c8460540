import type { ResetHandler } from '../../generated/operation-types.js';

export const reset: ResetHandler = async (_, { records }) => {
  for (const { Id } of await records.read('Parties', { filter: "Level eq 'High'" })) await records.update('Parties', Id, { Level: 'Low' });
};
