import type { WholeHandler } from '../../generated/operation-types.js';

// A record of any type.
export const whole: WholeHandler = ({ it }) => Object.keys(it).length > 0;
