import { literal } from '../../runtime/schema/identifier.js';
import type { Column } from '../../runtime/schema/schema.js';

/** The numbers of an enumeration's members by name. */
type Members = NonNullable<Column['members']>;

/** The number of a member's name; another text stops the statement, unless it is a number. */
export function numberOf(members: Members, column: string, type: string): string {
  const cases = Object.entries(members).map(([name, value]) => `when ${literal(name)} then ${value}`);
  return `case ${column} ${cases.join(' ')} else ${column}::${type} end`;
}

/** The name of a member's number; a number without a name stops the statement, with an error that names it. */
export function nameOf(members: Members, column: string): string {
  const cases = Object.entries(members).map(([name, value]) => `when ${value} then ${literal(name)}`);
  return `case ${column} ${cases.join(' ')} else ('no single member: ' || ${column})::integer::text end`;
}

/** The same for items. USING permits no subquery over them; a name is never a number, so no replacement meets another one. */
export function numbersOfItems(members: Members, column: string, type: string): string {
  const pairs = Object.entries(members).map(([name, value]) => [literal(name), `'${value}'`] as const);
  return `${replaceItems(`${column}::text[]`, pairs)}::${type}`;
}

/** The names of items. */
export function namesOfItems(members: Members, column: string, type: string): string {
  const pairs = Object.entries(members).map(([name, value]) => [`'${value}'`, literal(name)] as const);
  const known = `array_remove(${column}, null) <@ array[${Object.values(members).join(', ')}]::${type}`;
  const replaced = replaceItems(`${column}::text[]`, pairs);
  return `case when ${known} then ${replaced} else ('no single member: ' || ${column}::text)::integer[]::text[] end`;
}

function replaceItems(items: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((text, [from, to]) => `array_replace(${text}, ${from}, ${to})`, items);
}
