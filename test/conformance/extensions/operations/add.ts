import type { AddHandler } from '../../generated/operation-types.js';

export const add: AddHandler = ({ a, b }) => String(BigInt(a) + BigInt(b));
