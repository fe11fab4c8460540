import type { TrustedHandler } from '../../generated/operation-types.js';

export const trusted: TrustedHandler = () => ({ bound: true, filter: "Level eq 'High'" });
