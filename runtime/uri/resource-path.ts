import type { CommonExpr } from '../expression/ast.js';

/** A key in a URL: one unnamed literal, or named ones. Literals are as written, already percent-decoded. */
export type KeyPredicate =
  | { readonly kind: 'single'; readonly literal: KeyLiteral }
  | { readonly kind: 'named'; readonly literals: readonly { readonly name: string; readonly literal: KeyLiteral }[] };

/** `text` has no quotes; `quoted` tells a string from a number, GUID or date. */
export interface KeyLiteral {
  readonly text: string;
  readonly quoted: boolean;
  /** The parameter alias that stands for the value, with its `@`; `text` is the same. */
  readonly alias?: string;
  /** What stands in front of the quotes: `duration`, `binary`, `geography`, `geometry` or the name of an enumeration. */
  readonly prefix?: string;
}

/** One segment: a name, with a key in parentheses where there was one. */
export interface PathPart {
  readonly name: string;
  /** Named values may be the parameters of a function as well; an empty pair of parentheses has none. */
  readonly key?: KeyPredicate;
  /** A second pair of parentheses: the key of one record of a function's result. */
  readonly resultKey?: KeyPredicate;
  /** Of `/$filter(...)` only: the condition. */
  readonly filter?: CommonExpr;
  /** Of `$crossjoin(...)` only: the entity sets. */
  readonly sets?: readonly string[];
}

/** A resource path as written: `/Property('1')/Media/$count` has three parts. Empty for the service root. */
export interface ResourcePath {
  readonly parts: readonly PathPart[];
}
