import { createHooks } from '../errors/hooks.js';
import type { Cursor } from '../expression/cursor.js';
import type { Transformation } from './query-options.js';

/** The hooks of `uri`. */
export const uriHooks = createHooks<{ readonly parseApply: (cursor: Cursor) => readonly Transformation[] }>();
