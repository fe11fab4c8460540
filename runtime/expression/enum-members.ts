import type { EnumType, Field } from '../edm/field.js';
import { memoized } from '../edm/memoized.js';

/**
 * The number of an enumeration value's text, as decimal text: one member or its number, for flags several separated by
 * commas (ABNF rule enumValue); undefined for an invalid value.
 */
export function enumValue(type: EnumType, text: string): string | undefined {
  const { values, names, all } = tableOf(type);
  const parts = text.split(',').map((part) => values.get(part) ?? numberOf(part));
  if (parts.length > 1 && !type.flags) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (part === undefined) return undefined;
    value |= part;
  }
  const known = type.flags ? value >= 0n && (value & ~all) === 0n : names.has(String(value));
  return known ? String(value) : undefined;
}

/** The text of a value: its member, or of flags the members that it is made of; a number where they do not make it up. */
export function enumText(type: EnumType, value: string): string {
  const { names, texts } = tableOf(type);
  const known = names.get(value) ?? texts.get(value);
  if (known !== undefined) return known;
  const text = membersText(type, value);
  if (texts.size < mostTexts) texts.set(value, text);
  return text;
}

/** How many combinations of flags are remembered a type. */
const mostTexts = 4096;

/** The members, the first one of those that have one value. */
export function namedMembers({ members }: EnumType): EnumType['members'] {
  return members.filter(([, value], index) => members.findIndex((other) => other[1] === value) === index);
}

/** A constant of the model as it is stored: of an enumeration its number. */
export function storedText({ enumeration }: Pick<Field, 'enumeration'>, text: string): string {
  return enumeration === undefined ? text : (enumValue(enumeration, text) ?? text);
}

interface EnumTable {
  readonly values: ReadonlyMap<string, bigint>;
  readonly names: ReadonlyMap<string, string>;
  /** Of values that are no single member. */
  readonly texts: Map<string, string>;
  /** Every bit that a member has. */
  readonly all: bigint;
}

const tableOf = memoized((type: EnumType): EnumTable => ({
  values: new Map(type.members.map(([name, value]) => [name, BigInt(value)])),
  names: new Map(namedMembers(type).map(([name, value]) => [value, name])),
  texts: new Map(),
  all: type.members.reduce((bits, [, value]) => bits | BigInt(value), 0n),
}));

function numberOf(text: string): bigint | undefined {
  return /^[-+]?\d{1,19}$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
}

// The largest members within the value: a member that is part of another one adds nothing.
function membersText(type: EnumType, text: string): string {
  const value = BigInt(text);
  const within = namedMembers(type)
    .map(([name, bits]) => ({ name, bits: BigInt(bits) }))
    .filter(({ bits }) => bits !== 0n && (value & bits) === bits);
  const largest = within.filter(({ bits }) => !within.some((other) => other.bits !== bits && (other.bits & bits) === bits));
  const whole = type.flags && largest.reduce((sum, { bits }) => sum | bits, 0n) === value && value !== 0n;
  return whole
    ? largest
        .sort((a, b) => (a.bits < b.bits ? -1 : 1))
        .map(({ name }) => name)
        .join(',')
    : text;
}
