import type { KeyCondition } from './read-plan.js';

/** The condition for a singleton's row in place of a key: a column with only this value. */
export const singletonKey: readonly KeyCondition[] = [{ column: '#one', sqlType: 'boolean', value: 'true' }];
