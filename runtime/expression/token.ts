import type { ODataError } from '../errors/odata-error.js';
import type { LiteralType } from './ast.js';

/** The result of a lexical rule; `end` is the offset after it. */
export type Scan =
  | { readonly kind: 'word'; readonly end: number; readonly name: string }
  | { readonly kind: 'literal'; readonly end: number; readonly type: LiteralType; readonly value: string }
  | { readonly kind: 'enum'; readonly end: number; readonly type: string; readonly value: string }
  /** The value of a string in double quotes within a JSON array or object. */
  | { readonly kind: 'json'; readonly end: number; readonly value: string }
  | { readonly kind: 'symbol'; readonly end: number; readonly symbol: string }
  | { readonly kind: 'fault'; readonly end: number; readonly error: ODataError }
  | { readonly kind: 'end'; readonly end: number };

/** A scan with its offset; `spaced` says whether white space precedes it. */
export type Token = Scan & { readonly at: number; readonly spaced: boolean };

/** The value of one query option, and the option's name for messages. */
export interface Source {
  readonly text: string;
  readonly option: string;
}

/** The limits of an expression; messages name them. */
export const expressionLimits = {
  depth: 64,
  nodes: 1000,
  functionDepth: 15,
  lambdaDepth: 2,
  listItems: 1000,
  pathNames: 50,
  identifierLength: 128,
} as const;

/** How many more operands than one a text counts for where names are replaced by their values, since each use is sent to the database. */
export function longText(text: unknown): number {
  return typeof text === 'string' ? Math.floor(text.length / 100) : 0;
}
