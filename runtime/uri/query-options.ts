import type { CommonExpr, MemberExpr, PathSegment, SearchExpr } from '../expression/ast.js';
import type { Transformation } from './transformations.js';

/** A parsed query string, with each option as sent for links that repeat it. */
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

/** One item of `$orderby`; ascending unless followed by `desc`. */
export interface OrderbyItem {
  readonly expression: CommonExpr;
  readonly descending: boolean;
}

/** One item of `$select`: `*`, every operation of a schema (`Ns.*`), or a path. */
export type SelectItem =
  | { readonly kind: 'star'; readonly at: number }
  | { readonly kind: 'operations'; readonly at: number; readonly namespace: string }
  | SelectPath;

/** A path of properties, casts and annotations, or the qualified name of an action or function. */
export interface SelectPath extends MemberExpr {
  readonly options?: QueryOptions;
  /** Names that choose an overload: `Ns.Function(a,b)`. */
  readonly parameterNames?: readonly string[];
}

/** One item of `$compute`: an expression and the name that its value gets. */
export interface ComputeItem {
  readonly expression: CommonExpr;
  readonly alias: string;
  /** The offset of the alias. */
  readonly at: number;
}

/** One item of `$expand`, with its inner options. */
export interface ExpandItem {
  /** A `*` segment denotes every navigation property; `$ref` and `$count` are at the end. */
  readonly path: readonly PathSegment[];
  readonly options: QueryOptions;
  /** An item added by a deep write, not by the client: the answer expands what the body wrote (protocol 11.4.2.2). */
  readonly written?: true;
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
  readonly compute?: readonly ComputeItem[];
  readonly search?: SearchExpr;
  /** A sequence: each transformation takes the result of the one before. */
  readonly apply?: readonly Transformation[];
  /** In an item of `$expand` only. */
  readonly levels?: number | 'max';
  /** The position of an inserted item; negative from the end. */
  readonly index?: number;
  /** As sent: a version, or `*` for the newest. */
  readonly schemaversion?: string;
  /** Of `$entity` only: the id as sent. */
  readonly id?: string;
  readonly deltatoken?: string;
  /** Parameter aliases by name, which begins with `@`. */
  readonly aliases?: ReadonlyMap<string, CommonExpr>;
}
