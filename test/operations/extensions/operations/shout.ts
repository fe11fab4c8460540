import type { ShoutHandler } from '../../generated/operation-types.js';

export const shout: ShoutHandler = ({ text }) => text?.toUpperCase() ?? null;
