import type { CommonExpr } from '../expression/ast.js';

/** A key in a URL: one unnamed literal, or named ones; percent-decoded, otherwise as written. */
export type KeyPredicate =
  | { readonly kind: 'single'; readonly literal: KeyLiteral }
  | { readonly kind: 'named'; readonly literals: readonly { readonly name: string; readonly literal: KeyLiteral }[] };

/** `text` has no quotes; `quoted` distinguishes a string from a number, GUID or date. */
export interface KeyLiteral {
  readonly text: string;
  readonly quoted: boolean;
  /** The parameter alias in place of the value, with its `@`; `text` is the same. */
  readonly alias?: string;
  /** The prefix of the quotes: `duration`, `binary`, `geography`, `geometry` or the name of an enumeration. */
  readonly prefix?: string;
}

/** A key literal as it stands in a URL. */
export function printKeyLiteral({ text, quoted, prefix = '' }: KeyLiteral): string {
  return quoted ? `${prefix}'${text.replaceAll("'", "''")}'` : text;
}

/** One segment: a name, and the key in parentheses after it. */
export interface PathPart {
  readonly name: string;
  /** The offset of the name in the decoded path. */
  readonly at?: number;
  /** Named values may also be the parameters of a function; empty parentheses have none. */
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
