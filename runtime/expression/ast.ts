/** Types that a literal can have; `null` has none, and a whole number is typed where it is used. */
export type LiteralType =
  | 'null'
  | 'Edm.Boolean'
  | 'Edm.String'
  | 'Edm.Int64'
  | 'Edm.Decimal'
  | 'Edm.Double'
  | 'Edm.Guid'
  | 'Edm.Date'
  | 'Edm.TimeOfDay'
  | 'Edm.DateTimeOffset'
  | 'Edm.Duration'
  | 'Edm.Binary'
  | 'Edm.Geography'
  | 'Edm.Geometry';

export type BinaryOperator =
  | 'or' | 'and'
  | 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'has' | 'in'
  | 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod';

export type UnaryOperator = 'not' | '-';

/** One name of a path; `at` is its offset in the text of the query option. */
export interface PathSegment {
  readonly name: string;
  readonly at: number;
}

/** A syntax tree of the rule commonExpr; names are not resolved yet. `at` is the 0-based offset of the node. */
export type CommonExpr =
  | LiteralExpr
  | MemberExpr
  | UnaryExpr
  | BinaryExpr
  | MethodCallExpr
  | LambdaExpr
  | ListExpr
  | TypeExpr;

/** `value` is canonical text: a string without quotes and doubling, a date-time as written, a geo literal as `SRID=4326;POINT(1 2)`. */
export interface LiteralExpr {
  readonly kind: 'literal';
  readonly at: number;
  readonly type: LiteralType;
  readonly value: string;
}

/** A property, range variable or navigation path; `$count` and `$it` are segments of that name. */
export interface MemberExpr {
  readonly kind: 'member';
  readonly at: number;
  readonly path: readonly PathSegment[];
}

export interface UnaryExpr {
  readonly kind: 'unary';
  readonly at: number;
  readonly operator: UnaryOperator;
  readonly operand: CommonExpr;
}

/** `at` is the offset of the operator's word. */
export interface BinaryExpr {
  readonly kind: 'binary';
  readonly at: number;
  readonly operator: BinaryOperator;
  readonly left: CommonExpr;
  readonly right: CommonExpr;
}

/** Canonical functions, `geo.distance` and `cast` and `isof` too; the method's name is lower case. */
export interface MethodCallExpr {
  readonly kind: 'methodCall';
  readonly at: number;
  readonly method: string;
  readonly arguments: readonly CommonExpr[];
}

/** `source/any(variable:predicate)`; an empty `any()` has neither. */
export interface LambdaExpr {
  readonly kind: 'lambda';
  readonly at: number;
  readonly operator: 'any' | 'all';
  readonly source: MemberExpr;
  readonly variable?: string;
  readonly predicate?: CommonExpr;
}

/** The right side of `in`. */
export interface ListExpr {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly CommonExpr[];
}

/** A type name as an argument of `cast` or `isof`, for example Edm.String. */
export interface TypeExpr {
  readonly kind: 'type';
  readonly at: number;
  readonly name: string;
}
