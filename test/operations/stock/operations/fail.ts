import type { FailHandler } from '../../generated/operation-types.js';
import { failWith } from '../failing.js';

export const fail: FailHandler = async ({ code }, { models: { Item }, records }) => {
  // A failure of something else, with a code of its own.
  if (code.startsWith('own ')) throw Object.assign(new Error('not of the database'), { code: code.slice('own '.length) });
  if (code === 'records') await records.create('Items', { Id: 1, Name: 'Again' });
  else await Item.sequelize?.query(failWith(code));
};
