import { odata } from 'gable/edm';
import type { SignedHandler } from '../../generated/operation-types.js';

export const signed: SignedHandler = async ({ notes }) => {
  const signed = await notes.read({ filter: odata`contains(Text,${', '})`, select: 'No' });
  return { bound: true, filter: signed.length === 0 ? 'false' : `No in (${signed.map(({ No }) => No).join(',')})`, orderby: 'No desc' };
};
