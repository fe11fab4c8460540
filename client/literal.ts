import { expressionOf, isExpression, printLiteral, textOf, type Literal, type Value } from './expression.js';

// The characters of a form, so that no text becomes another expression; the service checks the rest.
const literal =
  (form: RegExp, type = '') =>
  (text: string): Literal => {
    if (form.test(text)) return expressionOf(type ? `${type}'${text}'` : text);
    throw new TypeError(`'${text}' has not the form ${form}`);
  };

/** An Edm.Date: `day('2026-01-31')`. */
export const day = /* @__PURE__ */ literal(/^-?\d+-\d\d-\d\d$/);

/** An Edm.TimeOfDay: `timeOfDay('17:30')`. */
export const timeOfDay = /* @__PURE__ */ literal(/^\d\d:\d\d[:.\d]*$/);

/** An Edm.DateTimeOffset with its digits and offset as written. */
export const dateTime = /* @__PURE__ */ literal(/^-?\d+-\d\d-\d\dT[:.\d]+(Z|[+-]\d\d:\d\d)$/);

/** An Edm.Guid. */
export const guid = /* @__PURE__ */ literal(/^[\da-f-]{36}$/i);

/** A number with all its digits. */
export const decimal = /* @__PURE__ */ literal(/^[+-]?[\d.]+(e[+-]?\d+)?$/i);

/** An Edm.Duration: `duration('PT36H')`. */
export const duration = /* @__PURE__ */ literal(/^[+-]?P[.\dDTHMS]+$/, 'duration');

/** Members of an enumeration by its qualified name, for services of version 4.0: `enumMember('Ns.Color', 'Red')`. */
export const enumMember = (type: string, ...members: readonly string[]): Literal => expressionOf(`${type}'${members.join()}'`);

// Types whose literals name them; a name with a dot is an enumeration.
const named = /^Duration|^Binary|\./;

/** Prints a JSON value as a literal of the given type: named without `Edm.`, an enumeration, or JSON. */
export function printTyped(value: unknown, type: string): string {
  if (type === 'JSON') return JSON.stringify(value);
  if (isExpression(value)) return textOf(value);
  if (type === 'String' || typeof value !== 'string') return printLiteral(value as Value);
  return named.test(type) ? `${type.replace(/^[DB]\w+$/, (word) => word.toLowerCase())}'${value}'` : value;
}
