import { primitives, type EnumType } from '../edm/index.js';
import { namedMembers } from '../expression/enum-members.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import { enumerationOf } from '../plan/expr-facts.js';
import type { StatementBuilder } from './builder.js';

/** A cast to an enumeration, or from one to text, of a compiled operand; undefined for other casts. */
export function compileEnumCast(
  { type, enumeration, operand }: Extract<TypedExpr, { kind: 'cast' }>,
  value: string,
  builder: StatementBuilder,
): string | undefined {
  const from = enumerationOf(operand);
  if (enumeration === undefined) return from && type === 'Edm.String' ? named(value, textOf(from, builder)) : undefined;
  const { sql } = primitives[type];
  if (operand.type !== 'Edm.String') return named(value, `case when ${isValue(enumeration, 'v', builder)} then v::${sql} end`);
  const number = named(`(${named(value, numberOf(enumeration, builder))})`, `case when ${isValue(enumeration, 'v', builder)} then v end`);
  return `(${number})::${sql}`;
}

// The members as a table.
function members(all: EnumType['members'], builder: StatementBuilder): string {
  const names = builder.bind(
    all.map(([name]) => name),
    'text[]',
  );
  const values = builder.bind(
    all.map(([, value]) => value),
    'bigint[]',
  );
  return `unnest(${names}, ${values})`;
}

// Like `enumText`: the member's name, or for flags the largest members that compose the value.
function textOf(type: EnumType, builder: StatementBuilder): string {
  const table = members(namedMembers(type), builder);
  const member = `(select name from ${table} m(name, bits) where bits = v)`;
  if (!type.flags) return `(coalesce(${member}, v::text) collate "C")`;
  const larger = `exists (select from ${table} n(name, bits) where ${within('n')} and n.bits <> m.bits and n.bits & m.bits = m.bits)`;
  const several = `(select string_agg(name, ',' order by bits) from ${table} m(name, bits) where ${within('m')} and not ${larger} having bit_or(bits) = v)`;
  return `(coalesce(${member}, ${several}, v::text) collate "C")`;
}

function within(alias: string): string {
  return `${alias}.bits <> 0 and v & ${alias}.bits = ${alias}.bits`;
}

const digits = String.raw`'^[-+]?[0-9]{1,18}$'`;

// Like `enumValue`: names or numbers, several for flags; null for an unknown one.
function numberOf(type: EnumType, builder: StatementBuilder): string {
  const one = (text: string): string =>
    `coalesce((select bits from ${members(type.members, builder)} m(name, bits) where name = ${text}), case when ${text} ~ ${digits} then ${text}::bigint end)`;
  if (!type.flags) return one('v');
  return `(select case when count(*) = count(number) then bit_or(number) end from (select ${one('part')} as number from unnest(string_to_array(v, ',')) part) parts)`;
}

function isValue({ flags, members: all }: EnumType, value: string, builder: StatementBuilder): string {
  if (!flags)
    return `${value} = any(${builder.bind(
      all.map(([, number]) => number),
      'bigint[]',
    )})`;
  const bits = builder.bind(String(all.reduce((sum, [, number]) => sum | BigInt(number), 0n)), 'bigint');
  return `case when ${value} between 0 and ${bits} and ${value} = trunc(${value}) then ${value}::bigint & ~${bits} = 0 end`;
}

/**
 * An expression over a value named `v`. `offset 0` keeps PostgreSQL from inlining the value at every use: nested casts
 * would grow exponentially.
 */
export function named(value: string, expression: string): string {
  return `(select ${expression} from (select ${value} as v offset 0) operand)`;
}
