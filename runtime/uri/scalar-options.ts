import { errors } from '../errors/catalogue.js';
import { excerpt } from '../expression/quote.js';

/** The value of `$top` or `$skip`: a whole number, limited to the largest exact one. */
export function parseCount(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw errors.badOption(`${option} must be a whole number of 0 or more, not '${excerpt(text)}'.`).at(option);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** The value of `$levels`: a number of levels, or `max`. */
export function parseLevels(option: string, text: string): number | 'max' {
  if (text.toLowerCase() === 'max') return 'max';
  if (!/^0*[1-9]\d*$/.test(text))
    throw errors.badOption(`${option} must be max or a whole number of 1 or more, not '${excerpt(text)}'.`).at(option);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** The value of `$index`: a whole number, negative from the end. */
export function parseIndex(option: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw errors.badOption(`${option} must be a whole number, not '${excerpt(text)}'.`).at(option);
  return Number(text);
}

/** The value of `$schemaversion`: `*` or a version, which is text of letters, digits, and `-._~`. */
export function parseSchemaVersion(option: string, text: string): string {
  if (!/^(?:\*|[\w.~-]{1,128})$/.test(text)) throw errors.badOption(`${option} must be a version or *, not '${excerpt(text)}'.`).at(option);
  return text;
}

/** The value of `$count`. */
export function parseBoolean(option: string, text: string): boolean {
  if (!/^(?:true|false)$/i.test(text)) throw errors.badOption(`${option} must be true or false, not '${excerpt(text)}'.`).at(option);
  return text.toLowerCase() === 'true';
}

/** The value as it is. */
export function parseText(option: string, text: string): string {
  if (text === '') throw errors.badOption(`${option} has no value.`).at(option);
  return text;
}
