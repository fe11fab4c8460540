import type { EnumType, Field, JoinTable, PrimitiveTypeName } from '../edm/index.js';
import type { SearchExpr } from '../expression/ast.js';
import type { Method } from '../expression/methods.js';

/** A table as one place of a statement sees it. */
export interface Source {
  readonly alias: string;
  readonly table: string;
}

/** A key condition: the column equals the value. */
export interface KeyCondition {
  readonly column: string;
  readonly sqlType: string;
  readonly value: string;
}

/** A join step along a navigation property: its table, and the columns of the join. */
export interface JoinStep extends Source {
  /** Pairs of the previous source's column and this table's. */
  readonly on: readonly (readonly [from: string, to: string])[];
  readonly from: string;
  /** The table that joins the two, where they have no columns for it. */
  readonly through?: JoinTable;
  /** The values of `#type` that a cast keeps, if not all. */
  readonly types?: readonly string[];
  /** The key of one row, or that there can be none. */
  readonly key?: readonly KeyCondition[] | 'none';
  /** The condition on the source row: that its complex value has a type. */
  readonly given?: TypedExpr;
  /** Whether only the oldest of several matching rows is the target. */
  readonly first?: true;
}

/** The rows of a lambda or `$count`: entities, or the values of a collection, possibly of another entity. */
export type Rows =
  | { readonly kind: 'joinSteps'; readonly joinSteps: readonly JoinStep[]; readonly filter?: TypedExpr }
  | {
      readonly kind: 'elements';
      readonly joinSteps: readonly JoinStep[];
      readonly alias: string;
      readonly column: PropertyExpr;
      readonly filter?: TypedExpr;
    };

/** The enumeration of an expression's numbers. */
export interface MaybeEnumeration {
  readonly enumeration?: EnumType;
}

/** The closed list of a property's values, if it has one. */
export interface MaybeListed {
  readonly allowedValues?: readonly string[];
}

/** The qualified name of the complex type that values are of, where they are complex. */
export interface MaybeComplex {
  readonly complex?: string;
}

/** The reference system of an expression's shapes, if known. */
export interface MaybeSystem {
  readonly srid?: NonNullable<Field['srid']>;
}

/** A value from the request; `value` is in the database's text form. */
export interface TypedLiteral extends MaybeEnumeration, MaybeComplex, MaybeSystem {
  readonly kind: 'literal';
  readonly type: PrimitiveTypeName | 'polygon' | 'line' | 'null';
  readonly nullable: boolean;
  readonly value: string | null;
  readonly holes?: readonly string[];
  /** Of a shape that lies in a plane. */
  readonly flat?: true;
}

/** A column of a table that the statement has under an alias. */
export interface ColumnExpr extends MaybeEnumeration, MaybeListed, MaybeComplex, MaybeSystem {
  readonly kind: 'column';
  readonly type: PrimitiveTypeName;
  readonly collection: boolean;
  readonly nullable: boolean;
  readonly alias: string;
  readonly column: string;
}

/** Where a value lies within the JSON of a column. */
export interface JsonPath {
  readonly alias: string;
  readonly column: string;
  /** The property that shares the column with others, since a row has no room for it. */
  readonly more?: string;
  /** The path to it, outermost first, with the types that values on it must have. */
  readonly steps: readonly JsonStep[];
}

/**
 * A member of an object; or the object itself if it has one of the types; or an item of an array, from the end if the
 * ordinal is negative, counted among those of the types.
 */
export type JsonStep = string | { readonly types: readonly string[] } | { readonly ordinal: number; readonly among?: readonly string[] };

/** A property of a complex value. */
export interface PathExpr extends JsonPath, MaybeEnumeration, MaybeListed, MaybeComplex, MaybeSystem {
  readonly kind: 'path';
  readonly type: PrimitiveTypeName;
  readonly collection: boolean;
  readonly nullable: true;
  /** An item of a property that is an array and no JSON: its ordinal is the only step. */
  readonly ofArray?: true;
}

/** A property that the model does not declare; its type is that of its place in the expression, and null until that is known. */
export interface DynamicExpr extends JsonPath {
  readonly kind: 'dynamic';
  readonly type: PrimitiveTypeName | 'null';
  readonly nullable: true;
  /** The path below the value, as in the request. */
  readonly names: readonly string[];
  readonly joinSteps: readonly JoinStep[];
  /** The text of its JSON, whatever its type is. */
  readonly text?: true;
}

/** A property, wherever it is stored. */
export type PropertyExpr = ColumnExpr | PathExpr;

/** A value of the entity at a single-valued navigation. */
export interface RelatedExpr extends MaybeEnumeration, MaybeComplex {
  readonly kind: 'related';
  readonly type: PrimitiveTypeName;
  readonly nullable: true;
  readonly joinSteps: readonly JoinStep[];
  readonly value: TypedExpr;
}

/** Operators that give true or false of two values, and never null. */
export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
/** Operators that make a number, a point in time or a duration of two. */
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod';

/** An expression of a kind, with its type, whether it may be null, and its parts. */
type Node<Kind extends string, Type, Nullable extends boolean, Parts> = Parts & {
  readonly kind: Kind;
  readonly type: Type;
  readonly nullable: Nullable;
};

interface Operand {
  readonly operand: TypedExpr;
}

interface Operands<Operator> {
  readonly operator: Operator;
  readonly left: TypedExpr;
  readonly right: TypedExpr;
}

// oxfmt-ignore
/** A resolved, typed and permitted expression. */
export type TypedExpr =
  | TypedLiteral
  | ColumnExpr
  | PathExpr
  | DynamicExpr
  | RelatedExpr
  | ItemsExpr
  | Node<'exists', 'Edm.Boolean', false, { readonly joinSteps: readonly JoinStep[] }>
  | Node<'count', 'Edm.Int64', boolean, { readonly rows: Rows }>
  | Node<'not', 'Edm.Boolean', boolean, Operand>
  | Node<'negate', PrimitiveTypeName, boolean, Operand>
  | Node<'cast', PrimitiveTypeName, boolean, MaybeEnumeration & Operand>
  | Node<'logical', 'Edm.Boolean', boolean, Operands<'and' | 'or'>>
  | Node<'comparison', 'Edm.Boolean', false, Operands<ComparisonOperator>>
  | Node<'arithmetic', PrimitiveTypeName, boolean, Operands<ArithmeticOperator>>
  | Node<'in', 'Edm.Boolean', false, Operand & { readonly elementType: PrimitiveTypeName; readonly values: readonly string[]; readonly withNull: boolean }>
  | Node<'call', PrimitiveTypeName, boolean, MaybeEnumeration & MaybeComplex & { readonly method: Method; readonly arguments: readonly TypedExpr[] }>
  /** A collection of literals; an empty one takes the type of the other operand. */
  | Node<'array', PrimitiveTypeName | 'null', false, MaybeEnumeration & MaybeComplex & { readonly values: readonly (string | null)[] }>
  /** A collection of values of which some are looked up or computed. */
  | Node<'computedArray', PrimitiveTypeName, false, MaybeEnumeration & { readonly items: readonly TypedExpr[] }>
  | Node<'case', PrimitiveTypeName, true, MaybeEnumeration & { readonly branches: readonly CaseBranch[] }>
  | Node<'quantified', 'Edm.Boolean', false, { readonly operator: 'any' | 'all'; readonly rows: Rows; readonly predicate?: TypedExpr }>
  | Node<'isof', 'Edm.Boolean', false, { readonly alias: string; readonly types: readonly string[] }>
  | Node<'search', 'Edm.Boolean', false, { readonly words: SearchedWords; readonly query: SearchExpr }>
  | Node<'constant', 'Edm.Boolean', false, { readonly value: boolean }>;

/** The searched words: those of an entity, by the alias of its table, or those of a text. */
type SearchedWords = { readonly alias: string } | { readonly text: TypedExpr };

/** Some of the items of a collection, in an order. */
export interface ItemsExpr {
  readonly kind: 'items';
  readonly type: PropertyExpr['type'];
  readonly nullable: false;
  readonly rows: Extract<Rows, { kind: 'elements' }>;
  readonly order: readonly { readonly expression: TypedExpr; readonly descending: boolean }[];
  readonly limit?: number;
  readonly offset?: number;
}

/** A value, and the condition under which a `case` has it. */
interface CaseBranch {
  readonly condition: TypedExpr;
  readonly value: TypedExpr;
}
