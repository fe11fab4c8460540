import { mismatchAt, type Scope } from '../scope.js';
import { type EnumType, own, qualify } from '../../edm/index.js';
import { enumValue } from '../../expression/enum-members.js';
import { databaseText } from '../../schema/identifier.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt, listAdvice, suggestion } from '../../errors/suggest.js';
import type { BinaryExpr, EnumExpr } from '../../expression/ast.js';
import { quotedLiterals } from '../../expression/literals.js';
import type { Method } from '../../expression/methods.js';
import { literal } from './check-literal.js';
import type { TypedExpr, TypedLiteral } from '../typed-expr.js';
import { enumerationOf, isCollection } from '../expr-facts.js';

/** The literal `Ns.Color'Red'`. */
export function checkEnum({ type: name, value }: EnumExpr, scope: Scope): TypedLiteral {
  const { enumTypes = {} } = scope.container;
  const type = own(enumTypes, qualify(scope.container, name));
  if (type === undefined)
    throw errors
      .unknownName(
        `enumeration ${excerpt(name)}`,
        'The model',
        suggestion(name, Object.keys(enumTypes)) || ` If the property is a string, write '${excerpt(value)}'.`,
      )
      .at(scope.option);
  return enumLiteral(type, value, scope);
}

/**
 * A string compared with an enumeration or a duration becomes a value of that type, since 4.01 permits literals without
 * the type (URL conventions 5.1.1.14.1); so does the number of an enumeration's member, as in OData 3.
 */
export function matchEnumeration(expr: TypedExpr, other: TypedExpr, scope: Scope): TypedExpr {
  const enumeration = enumerationOf(other);
  if (expr.type !== 'Edm.String' && !(expr.type === 'Edm.Int64' && enumeration && enumerationOf(expr) === undefined)) return expr;
  if (other.type === 'Edm.Duration') return asDuration(expr);
  if (enumeration === undefined) return expr;
  if (expr.kind === 'literal' && expr.value !== null) return enumLiteral(enumeration, expr.value, scope);
  if (expr.kind !== 'array') return expr;
  const values = expr.values.map((value) => (value === null ? null : enumLiteral(enumeration, value, scope).value));
  return { ...expr, type: enumeration.underlyingType, enumeration, values };
}

const duration = quotedLiterals.get('duration');

// A text that is no duration stays a string, which cannot be compared with one.
function asDuration(expr: TypedExpr): TypedExpr {
  if (expr.kind === 'literal' && expr.value !== null && isDuration(expr.value)) return literal('Edm.Duration', durationText(expr.value));
  if (expr.kind !== 'array' || !expr.values.every((value) => value === null || isDuration(value))) return expr;
  return { ...expr, type: 'Edm.Duration', values: expr.values.map((value) => (value === null ? null : durationText(value))) };
}

function isDuration(text: string): boolean {
  return duration?.pattern.test(text) ?? false;
}

function durationText(text: string): string {
  return databaseText('Edm.Duration', duration?.canonical(text) ?? text);
}

/** Rejects a comparison of different enumerations. */
export function requireOneEnumeration(args: readonly TypedExpr[], at: number, scope: Scope): void {
  const names = new Set(args.flatMap((argument) => enumerationOf(argument)?.qualifiedName ?? []));
  if (names.size > 1) throw mismatchAt(at, scope, `Values of ${[...names].join(' and ')} cannot be compared`);
}

const hasFlags: Method = { name: 'has', parameters: ['enumeration', 'enumeration'], result: 'Edm.Boolean', sql: '(({0} & {1}) = {1})' };

/** `has` on flags: the left side has every member of the right one (URL conventions 5.1.1.1.9); undefined for other operands. */
export function checkHasFlags({ at }: BinaryExpr, left: TypedExpr, value: TypedExpr, scope: Scope): TypedExpr | undefined {
  const enumeration = enumerationOf(left);
  if (enumeration === undefined || isCollection(left)) return undefined;
  const right = matchEnumeration(value, left, scope);
  if (right.type !== 'null' && enumerationOf(right) === undefined)
    throw mismatchAt(
      at,
      scope,
      `has needs a value of ${enumeration.qualifiedName} as its right operand`,
      ': write the names of members in single quotes, separated by commas.',
    );
  requireOneEnumeration([left, right], at, scope);
  if (!enumeration.flags) throw mismatchAt(at, scope, `has needs flags, but ${enumeration.qualifiedName} has none`, '; use eq.');
  const typed: TypedExpr =
    right.type === 'null' ? { kind: 'literal', type: enumeration.underlyingType, nullable: true, value: null } : right;
  return { kind: 'call', type: 'Edm.Boolean', nullable: left.nullable || right.nullable, method: hasFlags, arguments: [left, typed] };
}

function enumLiteral(enumeration: EnumType, text: string, scope: Scope): TypedLiteral {
  const value = enumValue(enumeration, text);
  if (value === undefined)
    throw errors
      .typeMismatch(`'${excerpt(text)}' is not a value of ${enumeration.qualifiedName}${enumAdvice(enumeration, text)}.`)
      .at(scope.option);
  return { kind: 'literal', type: enumeration.underlyingType, enumeration, nullable: false, value };
}

/** The valid members, as the end of a message. */
export function enumAdvice({ members, flags }: EnumType, text: string): string {
  const several = flags ? '; several values are separated by commas without spaces' : '';
  const names = members.map(([name]) => name);
  return listAdvice(names, text, several);
}
