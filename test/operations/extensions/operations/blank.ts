import type { BlankHandler } from '../../generated/operation-types.js';

export const blank: BlankHandler = () => ({ value: { Text: '', Price: { Amount: 1.5, Currency: null } } });
