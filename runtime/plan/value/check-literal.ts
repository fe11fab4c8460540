import { isNumeric, type PrimitiveTypeName } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { LiteralExpr } from '../../expression/ast.js';
import { asIs, observed, parameterOf, withParameter } from '../../expression/plan-parameter.js';
import { databaseText } from '../../schema/identifier.js';
import { enumerationOf, compared, isPropertyType, untypedNull } from '../expr-facts.js';
import type { DynamicExpr, TypedExpr, TypedLiteral } from '../typed-expr.js';
import { requireShapes } from './hooks.js';
import { dayAtMidnight } from './value-text.js';

/** A literal in the database's text form. */
export function checkLiteral(expr: LiteralExpr, option: string): TypedLiteral {
  const { type } = expr;
  switch (type) {
    case 'null':
      return untypedNull;
    case 'Edm.Geography':
    case 'Edm.Geometry':
      return requireShapes(option).literal(expr.value, type, option);
    case 'Edm.Duration':
    case 'Edm.Binary':
      return literalFrom(expr, type, (text) => databaseText(type, text));
    case 'Edm.Date':
    case 'Edm.DateTimeOffset':
      requireStorableYear(expr, option);
      return literalFrom(expr, type, asIs);
    default:
      return literalFrom(expr, type, asIs);
  }
}

// The text of a parameter is not observed, so that the plan serves other texts.
function literalFrom(expr: LiteralExpr, type: PrimitiveTypeName, form: (text: string) => string): TypedLiteral {
  const from = parameterOf(expr);
  if (from === undefined) return literal(type, form(expr.value));
  return withParameter(literal(type, ''), 'value', { parameter: from.parameter, form: (text) => form(from.form(text)) });
}

/** A bare null or a dynamic property in the type of its context, which PostgreSQL requires; other expressions are unchanged. */
export function typedNull(expr: TypedExpr, type: TypedLiteral['type']): TypedExpr {
  if (expr.kind === 'dynamic' && expr.type === 'null') return typedDynamic(expr, type);
  return expr.kind === 'literal' && expr.type === 'null' ? { kind: 'literal', type, nullable: true, value: null } : expr;
}

/** Whether the value is not null. */
export function isPresent(left: TypedExpr): TypedExpr {
  return compared('ne', left, untypedNull);
}

/** A literal that is not null. */
export function literal(type: PrimitiveTypeName | 'polygon' | 'line', value: string): TypedLiteral {
  return { kind: 'literal', type, nullable: false, value };
}

function requireStorableYear(expr: LiteralExpr, option: string): void {
  if (observed(expr, 'value', isBeyondStorage)) {
    throw errors.typeMismatch(`${expr.value} is out of range: this service supports the years 0001 to 9999.`).at(option);
  }
}

function isBeyondStorage(date: string): boolean {
  return /^(-|0000|\d{5})/.test(date);
}

/** Gives a dynamic property the type of its context; values of other types become null. */
function typedDynamic(expr: DynamicExpr, type: TypedLiteral['type']): DynamicExpr {
  if (!isPropertyType(type)) return expr;
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

/** A dynamic property in the type of the operand that it is compared with; untyped next to null or another dynamic property. */
export function matchOperand(expr: TypedExpr, other: TypedExpr): TypedExpr {
  const { type } = other;
  if (!isUntyped(expr) || type === 'Edm.ComplexType') return expr;
  const enumeration = enumerationOf(other);
  return enumeration === undefined || !isPropertyType(type)
    ? typedDynamic(expr, type)
    : { kind: 'cast', type, enumeration, nullable: true, operand: asText(expr) };
}

/** A date-time at midnight UTC as the date that it is compared with. */
export function matchDate(expr: TypedExpr, { type }: TypedExpr): TypedExpr {
  if (type !== 'Edm.Date' || expr.kind !== 'literal' || expr.type !== 'Edm.DateTimeOffset') return expr;
  if (!observed(expr, 'value', (text) => dayAtMidnight(text) !== undefined)) return expr;
  const from = parameterOf(expr);
  if (from === undefined) return literal(type, dayOf(expr.value ?? ''));
  return withParameter(literal(type, ''), 'value', { parameter: from.parameter, form: (text) => dayOf(from.form(text)) });
}

function dayOf(moment: string): string {
  return dayAtMidnight(moment) ?? moment;
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
