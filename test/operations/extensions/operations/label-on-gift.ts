import type { LabelOnGiftHandler } from '../../generated/operation-types.js';

export const labelOnGift: LabelOnGiftHandler = ({ gift, prefix }) => `${prefix} ${gift.Name} with ${gift.Ribbon ?? 'no ribbon'}`;
