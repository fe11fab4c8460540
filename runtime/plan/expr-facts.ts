import type { EnumType, Field } from '../edm/field.js';
import type { PrimitiveTypeName } from '../edm/primitive.js';
import { familyOf, type Family } from '../expression/methods.js';
import type {
  ColumnExpr,
  MaybeComplex,
  MaybeEnumeration,
  MaybeListed,
  MaybeSystem,
  TypedExpr,
  TypedLiteral,
  Rows,
  JoinStep,
  ComparisonOperator,
} from './typed-expr.js';

/** Whether an expression is a collection; its type is that of its items. */
export function isCollection(expr: TypedExpr): boolean {
  if (expr.kind === 'related') return isCollection(expr.value);
  return (
    expr.kind === 'array' ||
    expr.kind === 'computedArray' ||
    ((expr.kind === 'column' || expr.kind === 'path') && expr.collection) ||
    (expr.kind === 'call' && expr.method.result === 'collection')
  );
}

/** The enumeration of an expression's values or items. */
export function enumerationOf(expr: TypedExpr): EnumType | undefined {
  return 'enumeration' in expr ? expr.enumeration : undefined;
}

/** The enumeration as a member of an expression, if any. */
export function ofEnumeration(enumeration: EnumType | undefined): MaybeEnumeration {
  return enumeration === undefined ? {} : { enumeration };
}

/** The declared complex type of an expression's values. */
export function complexOf(expr: TypedExpr): string | undefined {
  return 'complex' in expr ? expr.complex : undefined;
}

/** The complex type as a member of an expression, if any. */
export function ofComplex(complex: string | undefined): MaybeComplex {
  return complex === undefined ? {} : { complex };
}

type Values = MaybeEnumeration & MaybeListed & MaybeComplex & MaybeSystem;

/** The facts about a property's values beyond their type. */
export function valuesOf(field: Pick<Field, 'enumeration' | 'complex' | 'srid' | 'allowedValues'>): Values {
  const { enumeration, complex, srid, allowedValues } = field;
  return {
    ...ofEnumeration(enumeration),
    ...ofComplex(complex),
    ...(srid !== undefined && { srid }),
    ...(allowedValues && !enumeration && { allowedValues }),
  };
}

/** Whether a property can have the type: null alone has none, and the kind of a shape is that of a literal. */
export function isPropertyType(type: TypedExpr['type'] | undefined): type is PrimitiveTypeName {
  return type !== undefined && type !== 'null' && type !== 'polygon' && type !== 'line';
}

/** The type of an expression for matching parameters; undefined for null. */
export type ExprFamily = Family | undefined;

/** True or false. */
export function constant(value: boolean): TypedExpr {
  return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value };
}

/** Null, whose type is that of its place. */
export const untypedNull: TypedLiteral = { kind: 'literal', type: 'null', nullable: true, value: null };

/** Two conditions, joined. */
export function logical(operator: 'and' | 'or', left: TypedExpr, right: TypedExpr): TypedExpr {
  return { kind: 'logical', type: 'Edm.Boolean', nullable: left.nullable || right.nullable, operator, left, right };
}

/** Whether one of the conditions holds. */
export function anyOf(conditions: readonly TypedExpr[]): TypedExpr {
  return joined(conditions, 'or');
}

/** Whether all of the conditions hold. */
export function allOf(conditions: readonly TypedExpr[]): TypedExpr {
  return joined(conditions, 'and');
}

// Halves, so that a long list makes no deep tree.
function joined(conditions: readonly TypedExpr[], operator: 'and' | 'or'): TypedExpr {
  const [only] = conditions;
  if (only === undefined) return constant(operator === 'and');
  if (conditions.length === 1) return only;
  const middle = conditions.length >> 1;
  return logical(operator, joined(conditions.slice(0, middle), operator), joined(conditions.slice(middle), operator));
}

/** The opposite of a condition. */
export function negated(operand: TypedExpr): TypedExpr {
  return { kind: 'not', type: 'Edm.Boolean', nullable: operand.nullable, operand };
}

/** A comparison of two values. */
export function compared(operator: ComparisonOperator, left: TypedExpr, right: TypedExpr): Comparison {
  return { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator, left, right };
}

/** A comparison of two values. */
export type Comparison = Extract<TypedExpr, { kind: 'comparison' }>;

/** An internal number of a row, such as its `#id`. */
export function internalColumn(alias: string, column = '#id'): ColumnExpr {
  return { kind: 'column', type: 'Edm.Int64', collection: false, nullable: false, alias, column };
}

/** The number of rows. */
export function countOf(rows: Rows, nullable = false): TypedExpr {
  return { kind: 'count', type: 'Edm.Int64', nullable, rows };
}

/** Whether navigation has a target. */
export function existing(joinSteps: readonly JoinStep[]): TypedExpr {
  return { kind: 'exists', type: 'Edm.Boolean', nullable: false, joinSteps };
}

/** The conjunction of two optional conditions. */
export function both(left: TypedExpr | undefined, right: TypedExpr | undefined): TypedExpr | undefined {
  return left === undefined || right === undefined ? (left ?? right) : logical('and', left, right);
}

/** Whether a row has one of the types. */
export function isOfTypes(alias: string, types: readonly string[]): TypedExpr {
  return { kind: 'isof', type: 'Edm.Boolean', nullable: false, alias, types };
}

/** A target of a path with its conditions apart from the key. */
interface Conditioned {
  readonly alias: string;
  readonly types?: readonly string[] | undefined;
  readonly filter?: TypedExpr | undefined;
}

/** The conditions of the path on its target apart from the key: types and filters. */
export function conditionOf({ alias, types, filter }: Conditioned): TypedExpr | undefined {
  return both(types && isOfTypes(alias, types), filter);
}

/** The family of an expression; null fits every parameter but a collection. */
export function familyOfExpr(expr: TypedExpr): ExprFamily {
  return isCollection(expr) ? 'collection' : familyOfItem(expr);
}

/** The family of an expression, or of its items when it is a collection. */
export function familyOfItem(expr: TypedExpr): ExprFamily {
  if (expr.type === 'null') return undefined;
  if (enumerationOf(expr)) return 'enumeration';
  if (expr.type === 'polygon' || expr.type === 'line') return expr.type;
  return familyOf[expr.type];
}

/** Whether a text comes from the request alone, so that it has the database's collation. */
export function isTextOfRequest(expr: TypedExpr): boolean {
  if (expr.type !== 'Edm.String') return false;
  return (
    expr.kind === 'literal' ||
    (expr.kind === 'call' && expr.arguments.every((argument) => argument.type !== 'Edm.String' || isTextOfRequest(argument)))
  );
}
