import type { PrimitiveTypeName } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { LiteralExpr } from '../expression/ast.js';
import { databaseText } from './database-text.js';
import { parseGeoLiteral } from './geo-literal.js';
import type { TypedLiteral } from './typed-expr.js';

/** A literal in the database's text form. */
export function checkLiteral(expr: LiteralExpr, option: string): TypedLiteral {
  switch (expr.type) {
    case 'null':
      return { kind: 'literal', type: 'null', nullable: true, value: null };
    case 'Edm.Geography':
    case 'Edm.Geometry':
      return parseGeoLiteral(expr.value, expr.type, option);
    case 'Edm.Duration':
    case 'Edm.Binary':
      return literal(expr.type, databaseText(expr.type, expr.value));
    case 'Edm.Date':
    case 'Edm.DateTimeOffset':
      requireStorableYear(expr, option);
      return literal(expr.type, expr.value);
    default:
      return literal(expr.type, expr.value);
  }
}

/** A literal that is not null. */
export function literal(type: PrimitiveTypeName | 'polygon' | 'line', value: string): TypedLiteral {
  return { kind: 'literal', type, nullable: false, value };
}

function requireStorableYear(expr: LiteralExpr, option: string): void {
  if (/^(-|0000|\d{5})/.test(expr.value)) {
    throw errors.typeMismatch(`${expr.value} is out of range: this service keeps the years 0001 to 9999.`).at(option);
  }
}
