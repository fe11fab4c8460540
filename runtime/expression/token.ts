import type { ODataError } from '../errors/odata-error.js';
import type { LiteralType } from './ast.js';

/** What a lexical rule found; `end` is the offset behind it. */
export type Scan =
  | { readonly kind: 'word'; readonly end: number; readonly name: string }
  | { readonly kind: 'literal'; readonly end: number; readonly type: LiteralType; readonly value: string }
  | { readonly kind: 'enum'; readonly end: number; readonly type: string; readonly value: string }
  /** A string in double quotes within a JSON array or object, as its value. */
  | { readonly kind: 'json'; readonly end: number; readonly value: string }
  | { readonly kind: 'symbol'; readonly end: number; readonly symbol: string }
  | { readonly kind: 'fault'; readonly end: number; readonly error: ODataError }
  | { readonly kind: 'end'; readonly end: number };

/** A scan in its place; `spaced` tells whether white space stands before it. */
export type Token = Scan & { readonly at: number; readonly spaced: boolean };

/** The value of one query option, and the option's name for messages. */
export interface Source {
  readonly text: string;
  readonly option: string;
}
