import type { EchoHandler } from '../../generated/operation-types.js';

export const echo: EchoHandler = (call) => Object.values(call).map((value) => JSON.stringify(value));
