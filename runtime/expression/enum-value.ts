import { excerpt } from './quote.js';

/** ABNF rule enum: members or their numbers, with commas between them. */
const enumValue = /^(?:[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*|[-+]?\d+)$/u;

/** Why the text in the quotes of an enumeration literal is invalid, or undefined. */
export function enumFault(text: string, type: string): string | undefined {
  if (text.split(',').every((member) => enumValue.test(member))) return undefined;
  return `${excerpt(`${type}'${text}'`)} is malformed, write one member or several with commas and no spaces: ${excerpt(type)}'One,Two'`;
}
