import { columnOf, fieldOf, own, primitives, type EntityType, type KeyGeneration } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { excerpt } from '../expression/quote.js';
import type { KeyLiteral, KeyPredicate } from '../uri/resource-path.js';
import { validateText } from './validate-text.js';
import type { KeyCondition } from './read-plan.js';

/** A key that cannot be any record's: well formed, but of a form that the service never gives. */
export type NoSuchKey = 'none';

/** A key predicate as conditions on columns. A wrong form of key is 400, an impossible value is no record. */
export function planKey(type: EntityType, predicate: KeyPredicate): readonly KeyCondition[] | NoSuchKey {
  const literals = namedLiterals(type, predicate);
  const conditions = type.key.map((name) => planKeyValue(type, name, own(literals, name) ?? missingKey(type, name)));
  return conditions.some((condition) => condition === undefined) ? 'none' : conditions.filter((condition) => condition !== undefined);
}

/** A key given as a path segment, `/Property/100`; its text is not quoted. */
export function planKeySegment(type: EntityType, text: string): readonly KeyCondition[] | NoSuchKey {
  const [name, ...others] = type.key;
  if (name === undefined || others.length > 0) throw errors.unknownName(text, type.name, '').at(text);
  const condition = planKeyValue(type, name, { text, quoted: fieldOf(type, name)?.type === 'Edm.String' });
  return condition === undefined ? 'none' : [condition];
}

function namedLiterals(type: EntityType, predicate: KeyPredicate): { readonly [name: string]: KeyLiteral } {
  const [only, ...others] = type.key;
  if (predicate.kind === 'single') {
    if (only === undefined || others.length > 0) throw badKey(type);
    return { [only]: predicate.literal };
  }
  const unknown = predicate.literals.find(({ name }) => !type.key.includes(name));
  if (unknown || predicate.literals.length !== type.key.length) throw badKey(type);
  return Object.fromEntries(predicate.literals.map(({ name, literal }) => [name, literal]));
}

function missingKey(type: EntityType, name: string): never {
  throw errors.typeMismatch(`The key of ${type.name} lacks ${name}.`).at(name);
}

function badKey(type: EntityType): Error {
  const form = type.key.map((name) => `${name}=${fieldOf(type, name)?.type === 'Edm.String' ? "'...'" : '...'}`).join(',');
  return errors.typeMismatch(`The key of ${type.name} is written (${form}).`).at(type.name);
}

function planKeyValue(type: EntityType, name: string, literal: KeyLiteral): KeyCondition | undefined {
  if (literal.alias !== undefined) throw errors.notImplemented(`The parameter alias ${excerpt(literal.alias)} in a key`).at(name);
  if (literal.prefix !== undefined) throw errors.notImplemented(`The key value ${excerpt(literal.prefix)}'...'`).at(name);
  const field = fieldOf(type, name);
  if (field === undefined) throw new Error(`The key ${name} of ${type.name} is no property.`);
  requireQuotes(type, name, literal, field.type === 'Edm.String');
  const generated = type.keyGeneration && planGeneratedKey(type.keyGeneration, literal.text);
  if (generated && field.type === 'Edm.String') return generated === 'none' ? undefined : generated;
  const fault = validateText(field, literal.text);
  if (fault !== undefined && field.type === 'Edm.String') return undefined;
  if (fault !== undefined) throw errors.typeMismatch(`'${literal.text}' is not a key of ${type.name}${fault}.`).at(name);
  return { column: columnOf(type, name), sqlType: primitives[field.type].sql, value: literal.text };
}

function requireQuotes(type: EntityType, name: string, literal: KeyLiteral, isString: boolean): void {
  if (isString === literal.quoted) return;
  const written = isString ? `'${literal.text.replaceAll("'", "''")}'` : literal.text;
  throw errors.typeMismatch(`The key ${name} of ${type.name} is ${isString ? 'a string' : 'no string'}: write ${type.entitySet ?? type.name}(${written}).`).at(name);
}

const largestId = 9223372036854775807n;

// The number is the record's own and never changes, while the key in front of it may: Draft7 becomes 7.
function planGeneratedKey({ strategy, prefix, acceptGeneratedPart }: KeyGeneration, text: string): KeyCondition | NoSuchKey | undefined {
  if (strategy !== 'sequence' || !acceptGeneratedPart) return undefined;
  const digits = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (!/^[1-9]\d{0,18}$/.test(digits) || BigInt(digits) > largestId) return 'none';
  return { column: '#id', sqlType: 'bigint', value: digits };
}
