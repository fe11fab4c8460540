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

/** Operators between two operands, as OData writes them; precedences are in `operators.ts`. */
export type BinaryOperator =
  | 'or'
  | 'and'
  | 'eq'
  | 'ne'
  | 'gt'
  | 'ge'
  | 'lt'
  | 'le'
  | 'has'
  | 'in'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'divby'
  | 'mod';

type UnaryOperator = 'not' | '-';

/**
 * One name of a path; `at` is its offset in the query option. A name with a dot is a type cast, a function or an
 * action; one that begins with `@` is an annotation or a parameter alias. The model decides.
 */
export interface PathSegment {
  readonly name: string;
  readonly at: number;
  /** The parentheses after the name: a key, or the parameters of a function; absent for a plain name. */
  readonly parentheses?: Parentheses;
  /** The second parentheses: the key of one entity in a function's result. */
  readonly resultKey?: Parentheses;
  /** Of `$count(...)` only: the filter and search of the counted members. */
  readonly options?: CountOptions;
  /** Of `/$filter(...)` only: the condition. */
  readonly filter?: CommonExpr;
}

/** One unnamed value is a key; named ones are a key or parameters, and an empty pair has none of them. */
export type Parentheses =
  | { readonly kind: 'single'; readonly value: CommonExpr }
  | { readonly kind: 'named'; readonly values: readonly NamedValue[] };

/** A parameter, or one part of a key. */
export interface NamedValue {
  readonly name: string;
  readonly at: number;
  readonly value: CommonExpr;
}

/** The options that `$count` may have within an expression (URL conventions 4.8). */
export interface CountOptions {
  readonly filter?: CommonExpr;
  readonly search?: SearchExpr;
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
  | TypeExpr
  | AliasExpr
  | EnumExpr
  | ArrayExpr
  | ObjectExpr
  | CaseExpr;

/** `value` is canonical text: a string without quotes and doubling, a date-time as written, a geo literal as `SRID=4326;POINT(1 2)`. */
export interface LiteralExpr {
  readonly kind: 'literal';
  readonly at: number;
  readonly type: LiteralType;
  readonly value: string;
  /** The word as written, where its capitals allow a property of that name: `Null`, `TRUE`. */
  readonly word?: string;
}

/** A property, range variable or navigation path; `$count`, `$it`, `$this` and `$root` are segments of that name. */
export interface MemberExpr {
  readonly kind: 'member';
  readonly at: number;
  readonly path: readonly PathSegment[];
  /** The start of the path when it is not a name: the result of a method, or a parameter alias; `path` may then be empty in a lambda. */
  readonly base?: MethodCallExpr | CaseExpr | AliasExpr;
}

/** A negation, of a condition or of a number. */
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

/** `@name` alone: a parameter alias, or an annotation of the record whose term has no namespace. `name` has the `@`. */
export interface AliasExpr {
  readonly kind: 'alias';
  readonly at: number;
  readonly name: string;
}

/** `Ns.Color'Red,Blue'`; without its type an enumeration value is a string literal. `value` has the text in quotes. */
export interface EnumExpr {
  readonly kind: 'enum';
  readonly at: number;
  readonly type: string;
  readonly value: string;
}

/** A JSON array, whose items may be expressions too (ABNF rule array). */
export interface ArrayExpr {
  readonly kind: 'array';
  readonly at: number;
  readonly items: readonly CommonExpr[];
}

/** A JSON object; names are as in JSON, control information and annotations included. */
export interface ObjectExpr {
  readonly kind: 'object';
  readonly at: number;
  readonly members: readonly NamedValue[];
}

/** `case(condition:value,...)`: the value of the first condition that is true, or null. */
export interface CaseExpr {
  readonly kind: 'case';
  readonly at: number;
  readonly branches: readonly { readonly condition: CommonExpr; readonly value: CommonExpr }[];
}

/** The tree of `$search`, with implicit ANDs made explicit. A chain of one operator is one node. */
export type SearchExpr =
  | { readonly kind: 'term'; readonly at: number; readonly text: string; readonly phrase: boolean }
  | { readonly kind: 'not'; readonly at: number; readonly operand: SearchExpr }
  | { readonly kind: 'and' | 'or'; readonly at: number; readonly operands: readonly SearchExpr[] };
