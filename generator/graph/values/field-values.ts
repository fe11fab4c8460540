import { type EnumType, type Field, isNumeric, primitives, type PrimitiveTypeName } from '../../../runtime/edm/index.js';
import { enumText, enumValue, storedText } from '../../../runtime/expression/enum-members.js';
import { attributeAt } from '../../csdl/attribute-at.js';
import type { Expression, Property } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { recordValues, textValue } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import { checkValue } from './check-value.js';
import type { ValueContext } from '../built-model.js';
import { lastName } from '../../../runtime/edm/lookup.js';

/** The field with its DefaultValue, if the service can set it. */
export function withDefault(property: Property, label: string, report: ValueContext['report'], field: Field): Field {
  const { collection, defaultValue } = property;
  if (defaultValue === undefined) return field;
  const value = canonicalText(field.type, defaultValue);
  const isOfShape = ['point', 'json'].includes(primitives[field.type].cell) && field.complex === undefined;
  const why = field.complex !== undefined ? 'is on a complex property' : collection ? 'is on a collection' : checkValue(field, value);
  if (why === undefined) return { ...field, default: storedText(field, value) };
  const at = attributeAt(property, 'defaultValue');
  report(isOfShape && !collection ? faults.defaultLeft(at, label, field.type) : faults.defaultValue(at, label, defaultValue, why));
  return field;
}

// The ABNF is case-insensitive here, and permits a plus before a number (rules booleanValue, dateTimeOffsetValue,
// SIGN).
function canonicalText(type: PrimitiveTypeName, text: string): string {
  if (type === 'Edm.Boolean') return text.toLowerCase();
  if (type === 'Edm.DateTimeOffset') return text.toUpperCase();
  return isNumeric(type) ? text.replace(/^\+/, '') : text;
}

/** The values of Validation.AllowedValues as in bodies; undefined without any, or where one is unreadable. */
export function allowedOf(
  expression: Expression | undefined,
  enumeration: EnumType | undefined,
  { report }: ValueContext,
): readonly string[] | undefined {
  if (expression === undefined) return undefined;
  // Nullable decides whether null is allowed.
  const records = recordValues(expression, terms.allowedValues, report);
  const items = records.filter((item) => item.member('Value')?.kind !== 'null');
  const stated = items.flatMap((item) => textValue(item.member('Value'), terms.allowedValues, report) ?? []);
  const values = enumeration ? stated.map(({ at, value }) => ({ at, value: memberText(enumeration, value) })) : stated;
  // An incomplete list would forbid allowed values.
  if (expression.kind !== 'collection' || records.length < expression.items.length || values.length < items.length) return undefined;
  for (const [index, { at, value }] of values.entries()) {
    if (values.findIndex((other) => other.value === value) < index)
      report(faults.duplicate(at, `the value '${value}'`, 'Validation.AllowedValues'));
  }
  return values.map(({ value }) => value);
}

// `Ns.Colour/Red Ns.Colour/Blue` is Red,Blue (CSDL XML 4.01, 14.3.7); invalid members are reported with the others.
function memberText(enumeration: EnumType, text: string): string {
  const names = text
    .split(/\s+/)
    .map((name) => lastName(name))
    .join(',');
  const value = enumValue(enumeration, names);
  return value === undefined ? names : enumText(enumeration, value);
}
