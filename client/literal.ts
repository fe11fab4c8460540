import { expressionOf, isExpression, printLiteral, textOf, type Literal, type Value } from './expression.js';

// No text becomes another expression, since it begins like no name; the service checks the rest.
const literal =
  (form: RegExp) =>
  (text: string): Literal => {
    if (form.test(text)) return expressionOf(text);
    throw new TypeError(`'${text}' has not the form ${form}`);
  };

/** An Edm.Date: `day('2026-01-31')`. */
export const day = /* @__PURE__ */ literal(/^-?\d+-\d\d-\d\d$/);

/** A number with all its digits. */
export const decimal = /* @__PURE__ */ literal(/^[+-]?\d[\w.:+-]*$/);

/** An Edm.TimeOfDay: `timeOfDay('17:30')`. */
export const timeOfDay: (text: string) => Literal = decimal;

/** An Edm.DateTimeOffset with its digits and offset as written. */
export const dateTime: (text: string) => Literal = decimal;

/** An Edm.Guid. */
export const guid = /* @__PURE__ */ literal(/^[\da-f-]{36}$/i);

/** An Edm.Duration: `duration('PT36H')`. */
export const duration = (text: string): Literal => enumMember('duration', text);

/** Members of an enumeration by its qualified name, for services of version 4.0: `enumMember('Ns.Color', 'Red')`. */
export const enumMember = (type: string, ...members: readonly string[]): Literal => expressionOf(type + printLiteral(members.join()));

// Types whose literals name them; a name with a dot is an enumeration.
const named = /^Duration|^Binary|\./;

/** Prints a JSON value as a literal of the given type: named without `Edm.`, an enumeration, or JSON. */
export function printTyped(value: unknown, type: string): string {
  if (type === 'JSON') return JSON.stringify(value);
  if (isExpression(value)) return textOf(value);
  if (type === 'String' || typeof value !== 'string') return printLiteral(value as Value);
  return named.test(type) ? type.replace(/^[DB]\w+$/, (word) => word.toLowerCase()) + printLiteral(value) : value;
}
