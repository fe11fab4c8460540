import type { PayHandler } from '../../generated/operation-types.js';

export const pay: PayHandler = async ({ till, amount }, { records }) => {
  await records.update('Till', undefined, { Cash: till.Cash + Number(amount) });
  return { from: 'Till', key: undefined };
};
