import type { EntityContainer, EntityType, EnumType, Field, KeyGeneration, PrimitiveTypeName } from '../../edm/index.js';
import { keyColumnOf, keyFieldOf, own, primitives, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { CommonExpr, LiteralExpr } from '../../expression/ast.js';
import { enumValue } from '../../expression/enum-members.js';
import { withoutSuffix } from '../../expression/literals.js';
import { observed, parameterOf, withParameter } from '../../expression/plan-parameter.js';
import { excerpt } from '../../errors/suggest.js';
import { databaseText } from '../../schema/identifier.js';
import { type KeyLiteral, type KeyPredicate, printKeyLiteral } from '../../uri/resource-path.js';
import type { KeyCondition } from '../typed-expr.js';
import { enumAdvice } from '../value/check-enum.js';
import { validateText } from '../value/value-text.js';

/** A well-formed key that no entity has. */
export type NoSuchKey = 'none';

/** Plans a key predicate as conditions on columns. A wrong form of key is 400, an impossible value matches nothing. */
export function planKey(
  type: EntityType,
  predicate: KeyPredicate,
  container: EntityContainer,
  parameters: Parameters = new Map(),
  known: KnownKey = noneKnown,
): readonly KeyCondition[] | NoSuchKey {
  const literals = namedLiterals(type, predicate, known);
  const given = known.size === 0 ? type.key : type.key.filter((name) => own(literals, name) || !known.has(name));
  const conditions = given.map((name) =>
    planKeyValue(type, name, valueOf(own(literals, name) ?? missingKey(type, name), parameters), container),
  );
  return conditions.every((condition) => condition !== undefined) ? [...knownConditions(type, given, known), ...conditions] : 'none';
}

/**
 * The key properties that a referential constraint determines from the source entity (URL conventions 4.3.3), with
 * conditions where the source's key has the values.
 */
export type KnownKey = ReadonlyMap<string, KeyCondition | undefined>;

const noneKnown: KnownKey = new Map();

function knownConditions({ key }: EntityType, given: readonly string[], known: KnownKey): readonly KeyCondition[] {
  return key.flatMap((name) => (given.includes(name) ? [] : (known.get(name) ?? [])));
}

/** The key properties that a URL must contain; all of them, where all are determined but the navigation is collection-valued. */
function neededKey({ key }: EntityType, known: KnownKey): readonly string[] {
  const needed = known.size === 0 ? key : key.filter((name) => !known.has(name));
  return needed.length === 0 ? key : needed;
}

/** Plans a key as a path segment, `/Property/100`; its text is not quoted. */
export function planKeySegments(
  type: EntityType,
  segments: readonly string[],
  container: EntityContainer,
  known: KnownKey = noneKnown,
): { readonly key: readonly KeyCondition[] | NoSuchKey; readonly length: number } {
  const needed = neededKey(type, known);
  const texts = segments.slice(0, needed.length);
  const [first = ''] = texts;
  if (needed.length === 0 || texts.length < needed.length)
    throw errors
      .unknownName(
        first,
        type.name,
        needed.length > 1 ? ` As segments its key has ${needed.length} values: /${type.entitySet ?? type.name}/${needed.join('/')}.` : '',
      )
      .at(first);
  const conditions = needed.map((name, index) =>
    planKeyValue(type, name, { text: texts[index] ?? '', quoted: isQuoted(keyFieldOf(type, name)) }, container),
  );
  const key = conditions.every((condition) => condition !== undefined) ? [...knownConditions(type, needed, known), ...conditions] : 'none';
  return { key, length: needed.length };
}

type Parameters = ReadonlyMap<string, CommonExpr>;

// A parameter alias is replaced by its value, which may be another alias (URL conventions 5.3.2).
function valueOf(literal: KeyLiteral, parameters: Parameters, depth = 0): KeyLiteral {
  if (literal.alias === undefined) return literal;
  const value = parameters.get(literal.alias);
  if (value === undefined)
    throw errors.typeMismatch(`${literal.alias} has no value; write ${literal.alias}=... in the query string.`).at(literal.alias);
  if (value.kind === 'alias' && depth <= parameters.size)
    return valueOf({ text: value.name, quoted: false, alias: value.name }, parameters, depth + 1);
  if (value.kind === 'enum') return { text: value.value, quoted: true, prefix: value.type };
  if (value.kind !== 'literal' || value.type === 'null')
    throw errors.typeMismatch(`${literal.alias} is used as a key, but its value is not a key value.`).at(literal.alias);
  return keyLiteralOf(value);
}

/** A literal of an expression as the value of a key. */
export function keyLiteralOf({ type, value }: LiteralExpr): KeyLiteral {
  return { text: value, quoted: type === 'Edm.String', ...(type === 'Edm.Duration' && { quoted: true, prefix: 'duration' }) };
}

function namedLiterals(type: EntityType, predicate: KeyPredicate, known: KnownKey): { readonly [name: string]: KeyLiteral } {
  const needed = neededKey(type, known);
  const [only, ...others] = needed;
  if (predicate.kind === 'single') {
    if (only === undefined || others.length > 0) throw badKey(type, needed);
    return { [only]: predicate.literal };
  }
  const unknown = predicate.literals.find(({ name }) => !type.key.includes(name));
  if (unknown || needed.some((name) => !predicate.literals.some((literal) => literal.name === name))) throw badKey(type, needed);
  return Object.fromEntries(predicate.literals.map(({ name, literal }) => [name, literal]));
}

function missingKey(type: EntityType, name: string): never {
  throw errors.typeMismatch(`The key of ${type.name} requires ${name}.`).at(name);
}

function badKey(type: EntityType, needed: readonly string[]): Error {
  if (type.key.length === 0) return errors.typeMismatch(`${type.name} has no key.`).at(type.name);
  const form = needed.map((name) => `${name}=${isQuoted(keyFieldOf(type, name)) ? "'...'" : '...'}`).join(',');
  return errors.typeMismatch(`The key of ${type.name} is written (${form}).`).at(type.name);
}

// Literals of enumerations and durations have quotes, and in 4.0 a type before them.
function isQuoted(field: Field | undefined): boolean {
  return field?.type === 'Edm.String' || field?.type === 'Edm.Duration' || field?.enumeration !== undefined;
}

function planEnumKey(type: EntityType, name: string, literal: KeyLiteral, enumeration: EnumType, container: EntityContainer): KeyCondition {
  const { text, prefix, quoted } = literal;
  const wrongType = prefix !== undefined && qualify(container, prefix) !== enumeration.qualifiedName;
  const value = wrongType ? undefined : enumValue(enumeration, text);
  if (value !== undefined && !quoted && !/^\d+$/.test(text))
    throw wrongQuotes(type, name, literal, { kind: 'an enumeration', prefix: enumeration.qualifiedName });
  if (value === undefined)
    throw errors
      .typeMismatch(
        `'${excerpt(text)}' is not a key of ${type.name}: ${name} is written ${enumeration.qualifiedName}'...'${enumAdvice(enumeration, text)}.`,
      )
      .at(name);
  return { column: keyColumnOf(type, name), sqlType: primitives[enumeration.underlyingType].sql, value };
}

function planKeyValue(type: EntityType, name: string, literal: KeyLiteral, container: EntityContainer): KeyCondition | undefined {
  const field = keyFieldOf(type, name);
  if (field === undefined) throw new Error(`The key ${name} of ${type.name} is not a property.`);
  if (field.enumeration) return planEnumKey(type, name, literal, field.enumeration, container);
  requirePrefix(type, name, literal, field.type);
  const isString = field.type === 'Edm.String';
  if (isString) requireQuotes(type, name, literal, field);
  if (isString && hasGeneratedKey(type)) return planGeneratedKey(type.keyGeneration, literal);
  const fault = observed(literal, 'text', (text) => validateText(field, canonicalText(field.type, text)));
  if (fault !== undefined && isString) return undefined;
  if (fault !== undefined) throw errors.typeMismatch(`'${excerpt(literal.text)}' is not a key of ${type.name}${fault}.`).at(name);
  // After the form, so that the advice is a value of the type.
  requireQuotes(type, name, literal, field);
  return keyCondition(keyColumnOf(type, name), primitives[field.type].sql, literal, (text) =>
    databaseText(field.type, canonicalText(field.type, text)),
  );
}

// ABNF rule booleanValue: case-insensitive; numbers may have the suffixes of OData 2 and 3.
function canonicalText(type: PrimitiveTypeName, text: string): string {
  if (type === 'Edm.Boolean') return text.toLowerCase();
  return primitives[type].rank === undefined ? text : withoutSuffix(text);
}

// The value of a parameter is not observed, so that the plan serves other keys.
function keyCondition(column: string, sqlType: string, literal: KeyLiteral, form: (text: string) => string): KeyCondition {
  const from = parameterOf(literal);
  if (from === undefined) return { column, sqlType, value: form(literal.text) };
  return withParameter({ column, sqlType, value: '' }, 'value', { parameter: from.parameter, form: (text) => form(from.form(text)) });
}

// 4.01 permits a duration without its prefix (ABNF rule duration); other keys have none.
function requirePrefix(type: EntityType, name: string, { prefix }: KeyLiteral, fieldType: PrimitiveTypeName): void {
  if (prefix === undefined || (fieldType === 'Edm.Duration' && prefix.toLowerCase() === 'duration')) return;
  throw errors.typeMismatch(`The key ${name} of ${type.name} is ${fieldType}, but ${excerpt(prefix)}'...' has another type.`).at(name);
}

function requireQuotes(type: EntityType, name: string, literal: KeyLiteral, field: Field): void {
  if (isQuoted(field) === literal.quoted) return;
  throw wrongQuotes(type, name, literal, kinds[field.type] ?? { kind: 'not a string' });
}

interface QuotedKind {
  readonly kind: string;
  readonly prefix?: string;
}

const kinds: { readonly [Name in PrimitiveTypeName]?: QuotedKind } = {
  'Edm.String': { kind: 'a string' },
  'Edm.Duration': { kind: 'a duration', prefix: 'duration' },
};

// The advice is the value with quotes if it has none, and without them if it has.
function wrongQuotes(type: EntityType, name: string, { text, quoted }: KeyLiteral, { kind, ...prefix }: QuotedKind): Error {
  const value = printKeyLiteral({ text, quoted: !quoted, ...prefix });
  const written = type.key.length > 1 ? `${name}=${value}` : `${type.entitySet ?? type.name}(${value})`;
  return errors.typeMismatch(`The key ${name} of ${type.name} is ${kind}: write ${written}.`).at(name);
}

const largestId = 9223372036854775807n;

function hasGeneratedKey(type: EntityType): type is EntityType & { readonly keyGeneration: KeyGeneration } {
  return type.keyGeneration?.strategy === 'sequence' && type.keyGeneration.acceptGeneratedPart;
}

// The `#id` never changes, while the key's prefix may: Draft7 becomes 7.
function planGeneratedKey({ prefix }: KeyGeneration, literal: KeyLiteral): KeyCondition | undefined {
  const digitsOf = (text: string): string => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
  if (!observed(literal, 'text', (text) => isId(digitsOf(text)))) return undefined;
  return keyCondition('#id', 'bigint', literal, digitsOf);
}

function isId(digits: string): boolean {
  return /^[1-9]\d{0,18}$/.test(digits) && BigInt(digits) <= largestId;
}

/** The condition for a singleton's row in place of a key: a column with only this value. */
export const singletonKey: readonly KeyCondition[] = [{ column: '#one', sqlType: 'boolean', value: 'true' }];
