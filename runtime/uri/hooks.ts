import { createHooks } from '../errors/hooks.js';
import type { Cursor } from '../expression/cursor.js';
import type { Transformation } from './query-options.js';

/** Parsers and printers of options that a feature provides. */
interface UriHooks {
  /** Parses the whole value of `$apply`. */
  readonly parseApply: (cursor: Cursor) => readonly Transformation[];
  /** Parses `$apply` within an item of `$expand`. */
  readonly parseInnerApply: (cursor: Cursor) => readonly Transformation[];
  readonly printApply: (transformations: readonly Transformation[]) => string;
}

/** The hooks of `uri`. */
export const uriHooks = createHooks<UriHooks>();
