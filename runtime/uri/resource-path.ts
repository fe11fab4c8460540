/** A key in a URL: one unnamed literal, or named ones. Literals are as written, already percent-decoded. */
export type KeyPredicate =
  | { readonly kind: 'single'; readonly literal: KeyLiteral }
  | { readonly kind: 'named'; readonly literals: readonly { readonly name: string; readonly literal: KeyLiteral }[] };

/** `text` has no quotes; `quoted` tells a string from a number, GUID or date. */
export interface KeyLiteral {
  readonly text: string;
  readonly quoted: boolean;
}

/** One segment: a name, with a key in parentheses where there was one. */
export interface PathPart {
  readonly name: string;
  readonly key?: KeyPredicate;
}

/** A resource path as written: `/Property('1')/Media/$count` has three parts. Empty for the service root. */
export interface ResourcePath {
  readonly parts: readonly PathPart[];
}
