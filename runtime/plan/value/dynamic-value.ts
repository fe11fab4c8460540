import { isNumeric, type PrimitiveTypeName } from '../../edm/index.js';
import type { DynamicExpr, TypedExpr, TypedLiteral } from '../typed-expr.js';
import { enumerationOf } from '../expr-facts.js';

/** Gives a dynamic property the type of its context; values of other types become null. */
export function typedDynamic(expr: DynamicExpr, type: TypedLiteral['type']): DynamicExpr {
  if (type === 'null' || type === 'polygon' || type === 'line') return expr;
  return { ...expr, type: isNumeric(type) ? 'Edm.Decimal' : type };
}

/** A dynamic property without a type is the text of its JSON. */
export function asText(expr: TypedExpr): TypedExpr {
  return isUntyped(expr) ? { ...expr, type: 'Edm.String', text: true } : expr;
}

/** A dynamic property that is selected or grouped by, as untyped JSON. */
export function asUntyped(expr: TypedExpr): TypedExpr {
  return isUntyped(expr) ? { ...expr, type: 'Edm.Untyped' } : expr;
}

/** A dynamic property in the order of JSON values. */
export function asJson(expr: TypedExpr): TypedExpr {
  return isUntyped(expr) ? { ...expr, type: 'Edm.ComplexType' } : expr;
}

/**
 * A dynamic property in the type of the operand it is compared with, for enumerations by name; compared with null or
 * another dynamic property it stays untyped.
 */
export function matchOperand(expr: TypedExpr, other: TypedExpr): TypedExpr {
  const { type } = other;
  if (!isUntyped(expr) || type === 'Edm.ComplexType') return expr;
  const enumeration = enumerationOf(other);
  return enumeration === undefined || type === 'null' || type === 'polygon' || type === 'line'
    ? typedDynamic(expr, type)
    : { kind: 'cast', type, enumeration, nullable: true, operand: asText(expr) };
}

/** A dynamic property in arithmetic: a number, or a date or time to which a duration is added. */
export function inArithmetic(expr: TypedExpr, { type }: TypedExpr): TypedExpr {
  const temporal: PrimitiveTypeName | undefined = type === 'Edm.DateTimeOffset' || type === 'Edm.Duration' ? type : undefined;
  return isUntyped(expr) ? typedDynamic(expr, temporal ?? 'Edm.Decimal') : expr;
}

/** Whether a dynamic property has no type yet. */
export function isUntyped(expr: TypedExpr): expr is DynamicExpr {
  return expr.kind === 'dynamic' && (expr.type === 'null' || expr.type === 'Edm.Untyped');
}
