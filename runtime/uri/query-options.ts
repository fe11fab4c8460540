import type { CommonExpr, MemberExpr, PathSegment } from '../expression/ast.js';

/** What a query string holds: the parsed options, and every option as it was sent, for links back to it. */
export interface ParsedQuery {
  readonly options: QueryOptions;
  readonly raw: readonly RawOption[];
}

/** One option as sent; a system option's `name` is in lower case with `$`, a custom one's as written. */
export interface RawOption {
  readonly name: string;
  readonly value: string;
  /** The text between two `&`, not decoded. */
  readonly text: string;
}

/** One item of `$orderby`; ascending unless it says `desc`. */
export interface OrderbyItem {
  readonly expression: CommonExpr;
  readonly descending: boolean;
}

/** One item of `$select`: `*` or a property path. */
export type SelectItem = { readonly kind: 'star'; readonly at: number } | MemberExpr;

/** One item of `$expand`, with its inner options. */
export interface ExpandItem {
  /** A single `*` segment stands for every navigation property. */
  readonly path: readonly PathSegment[];
  readonly options: QueryOptions;
}

/** System query options, parsed but not resolved. An option that was not sent is absent. */
export interface QueryOptions {
  readonly filter?: CommonExpr;
  readonly orderby?: readonly OrderbyItem[];
  readonly select?: readonly SelectItem[];
  readonly expand?: readonly ExpandItem[];
  readonly top?: number;
  readonly skip?: number;
  readonly count?: boolean;
  readonly skiptoken?: string;
  /** As sent: `json`, `xml` or a media type. */
  readonly format?: string;
}
