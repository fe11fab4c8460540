import type { CommonExpr, MemberExpr, PathSegment, SearchExpr } from '../expression/ast.js';

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

/** Transformations that keep a number of records, those with the highest or the lowest values. */
export type RankMethod = 'topcount' | 'bottomcount';

/** One step of `$apply` (Data Aggregation 3); `at` is the offset of its name. */
export type Transformation =
  | AggregateTransformation
  | GroupbyTransformation
  | { readonly kind: 'filter'; readonly at: number; readonly condition: CommonExpr }
  | { readonly kind: 'search'; readonly at: number; readonly search: SearchExpr }
  | { readonly kind: 'compute'; readonly at: number; readonly items: readonly ComputeItem[] }
  | { readonly kind: 'concat'; readonly at: number; readonly sequences: readonly (readonly Transformation[])[] }
  | { readonly kind: 'identity'; readonly at: number }
  | { readonly kind: 'rank'; readonly at: number; readonly method: RankMethod; readonly amount: CommonExpr; readonly by: CommonExpr }
  | { readonly kind: 'orderby'; readonly at: number; readonly items: readonly OrderbyItem[] }
  | { readonly kind: 'skip' | 'top'; readonly at: number; readonly count: number };

/** `aggregate(...)`. */
export interface AggregateTransformation {
  readonly kind: 'aggregate';
  readonly at: number;
  readonly items: readonly AggregateItem[];
}

/** `groupby((a,b/c,rollup(...)),aggregate(...))`; an empty `groups` makes one group. */
export interface GroupbyTransformation {
  readonly kind: 'groupby';
  readonly at: number;
  readonly groups: readonly GroupingElement[];
  readonly aggregate?: AggregateTransformation;
}

/** A path to group by, or `rollup(...)`; `all` is a rollup's `$all`. */
export type GroupingElement =
  | MemberExpr
  | { readonly kind: 'rollup'; readonly at: number; readonly all: boolean; readonly paths: readonly MemberExpr[] };

/** One item of `aggregate`: `Amount with sum as Total`, or `$count as Many`. */
export interface AggregateItem {
  readonly at: number;
  /** The value; a path to a custom aggregate or ending in `$count` has no `method`. */
  readonly expression: CommonExpr;
  /** `sum`, `min`, `max`, `average`, `countdistinct`, or the qualified name of a custom method. */
  readonly method?: string;
  readonly alias?: string;
}

/** Limits of what the URL of one request may ask for. */
export const uriLimits = {
  options: 64,
  orderby: 8,
  select: 1000,
  selectDepth: 16,
  compute: 100,
  expandItems: 20,
  expandDepth: 3,
  crossjoin: 16,
  segments: 50,
  keyValues: 50,
  /** Characters of an entity-id in `$id` and in bodies. */
  entityId: 4096,
} as const;
