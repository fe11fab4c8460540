import { createHooks } from '../errors/hooks.js';
import type { Cursor } from '../expression/cursor.js';
import type { Transformation } from './query-options.js';

/** Parsers of options that a feature provides. */
interface UriHooks {
  readonly parseApply: (cursor: Cursor) => readonly Transformation[];
}

/** The hooks of `uri`. */
export const uriHooks = createHooks<UriHooks>();
