import type { LabelHandler } from '../../generated/operation-types.js';

export const label: LabelHandler = ({ item, prefix }) => `${prefix} ${item.Name}`;
