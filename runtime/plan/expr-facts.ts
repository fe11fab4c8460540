import type { EnumType, Field } from '../edm/index.js';
import type { Family } from '../expression/methods.js';
import type { MaybeEnumeration, MaybeComplex, MaybeSystem, TypedExpr } from './typed-expr.js';

/** Whether an expression is a collection of values; its type is then its items'. */
export function isCollection(expr: TypedExpr): boolean {
  if (expr.kind === 'related') return isCollection(expr.value);
  return (
    expr.kind === 'array' ||
    expr.kind === 'made' ||
    ((expr.kind === 'column' || expr.kind === 'path') && expr.collection) ||
    (expr.kind === 'call' && expr.method.result === 'collection')
  );
}

/** The enumeration whose values an expression has, or a collection its items. */
export function enumerationOf(expr: TypedExpr): EnumType | undefined {
  return 'enumeration' in expr ? expr.enumeration : undefined;
}

/** Says of an expression that its values are those of an enumeration, where they are. */
export function ofEnumeration(enumeration: EnumType | undefined): MaybeEnumeration {
  return enumeration === undefined ? {} : { enumeration };
}

/** The complex type that an expression's values are declared to be of. */
export function complexOf(expr: TypedExpr): string | undefined {
  return 'complex' in expr ? expr.complex : undefined;
}

/** Says of an expression that its values are of a complex type, where they are. */
export function ofComplex(complex: string | undefined): MaybeComplex {
  return complex === undefined ? {} : { complex };
}

/** What a property says of its values beyond their type. */
export function valuesOf({
  enumeration,
  complex,
  srid,
}: Pick<Field, 'enumeration' | 'complex' | 'srid'>): MaybeEnumeration & MaybeComplex & MaybeSystem {
  return { ...ofEnumeration(enumeration), ...ofComplex(complex), ...(srid !== undefined && { srid }) };
}

/** The type of an expression as a parameter sees it; undefined for null. */
export type ExprFamily = Family | undefined;
