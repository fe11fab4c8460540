import type { KeyCondition } from './read-plan.js';

/** What a singleton's one record is found by, instead of a key: a column that can have only this value. */
export const singletonKey: readonly KeyCondition[] = [{ column: '#one', sqlType: 'boolean', value: 'true' }];
