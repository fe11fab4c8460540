import type { PrimitiveTypeName } from '../../edm/index.js';
import { databaseText } from '../../schema/identifier.js';
import { errors } from '../../errors/catalogue.js';
import type { LiteralExpr } from '../../expression/ast.js';
import { withParameter, observed, parameterOf } from '../../expression/plan-parameter.js';
import { typedDynamic } from './dynamic-value.js';
import { parseGeoLiteral } from './geo-literal.js';
import type { TypedExpr, TypedLiteral } from '../typed-expr.js';

/** A literal in the database's text form. */
export function checkLiteral(expr: LiteralExpr, option: string): TypedLiteral {
  const { type } = expr;
  switch (type) {
    case 'null':
      return { kind: 'literal', type: 'null', nullable: true, value: null };
    case 'Edm.Geography':
    case 'Edm.Geometry':
      return parseGeoLiteral(expr.value, type, option);
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

const asIs = (text: string): string => text;

// The text of a parameter is not observed, so that the plan serves other texts.
function literalFrom(expr: LiteralExpr, type: PrimitiveTypeName, form: (text: string) => string): TypedLiteral {
  const from = parameterOf(expr);
  if (from === undefined) return literal(type, form(expr.value));
  return withParameter(literal(type, ''), 'value', { parameter: from.parameter, form: (text) => form(from.form(text)) });
}

/**
 * A bare null or a dynamic property in the type of its context, which PostgreSQL requires; other expressions are
 * unchanged.
 */
export function typedNull(expr: TypedExpr, type: TypedLiteral['type']): TypedExpr {
  if (expr.kind === 'dynamic' && expr.type === 'null') return typedDynamic(expr, type);
  return expr.kind === 'literal' && expr.type === 'null' ? { kind: 'literal', type, nullable: true, value: null } : expr;
}

/** Whether the value is not null. */
export function isPresent(left: TypedExpr): TypedExpr {
  const right: TypedExpr = { kind: 'literal', type: 'null', nullable: true, value: null };
  return { kind: 'comparison', type: 'Edm.Boolean', nullable: false, operator: 'ne', left, right };
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
