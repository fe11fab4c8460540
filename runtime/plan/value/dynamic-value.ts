import { isNumeric, type PrimitiveTypeName } from '../../edm/index.js';
import type { DynamicExpr, TypedExpr, TypedLiteral } from '../typed-expr.js';
import { enumerationOf } from '../expr-facts.js';

/** Gives a dynamic property the type of its place in an expression; a value of another type is null there. */
export function typedDynamic(expr: DynamicExpr, type: TypedLiteral['type']): DynamicExpr {
  if (type === 'null' || type === 'polygon' || type === 'line') return expr;
  return { ...expr, type: isNumeric(type) ? 'Edm.Decimal' : type };
}

/** A dynamic property that nothing gives a type is the text of its JSON. */
export function asText(expr: TypedExpr): TypedExpr {
  return isUntyped(expr) ? { ...expr, type: 'Edm.String', text: true } : expr;
}

/** A dynamic property that is shown, or grouped by, as what it is. */
export function asUntyped(expr: TypedExpr): TypedExpr {
  return isUntyped(expr) ? { ...expr, type: 'Edm.Untyped' } : expr;
}

/** A dynamic property in the order that JSON values have. */
export function asJson(expr: TypedExpr): TypedExpr {
  return isUntyped(expr) ? { ...expr, type: 'Edm.ComplexType' } : expr;
}

/** A dynamic property with the type of what it is compared with, of an enumeration by the names that it keeps; beside null, and beside another one, it stays untyped. */
export function matchOperand(expr: TypedExpr, other: TypedExpr): TypedExpr {
  const { type } = other;
  if (!isUntyped(expr) || type === 'Edm.ComplexType') return expr;
  const enumeration = enumerationOf(other);
  return enumeration === undefined || type === 'null' || type === 'polygon' || type === 'line'
    ? typedDynamic(expr, type)
    : { kind: 'cast', type, enumeration, nullable: true, operand: asText(expr) };
}

/** A dynamic property in arithmetic: a number, or what time is added to. */
export function inArithmetic(expr: TypedExpr, { type }: TypedExpr): TypedExpr {
  const temporal: PrimitiveTypeName | undefined = type === 'Edm.DateTimeOffset' || type === 'Edm.Duration' ? type : undefined;
  return isUntyped(expr) ? typedDynamic(expr, temporal ?? 'Edm.Decimal') : expr;
}

/** Whether nothing has given a dynamic property a type yet. */
export function isUntyped(expr: TypedExpr): expr is DynamicExpr {
  return expr.kind === 'dynamic' && (expr.type === 'null' || expr.type === 'Edm.Untyped');
}
