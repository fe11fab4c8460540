import { errors } from '../errors/catalogue.js';
import { uriLimits } from './limits.js';
import { decodeQueryText } from './percent-decode.js';

/** One option of a query string, percent-decoded; `text` is the original between two `&`. */
export interface SplitOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly text: string;
}

/** The options of a query string, given without its question mark. */
export function splitOptions(rawQuery: string): readonly SplitOption[] {
  return optionTexts(rawQuery).map(splitOption);
}

/** The non-empty texts between the `&` of a query string. */
export function optionTexts(rawQuery: string): readonly string[] {
  if (rawQuery === '') return [];
  const texts = rawQuery.split('&').filter((text) => text !== '');
  if (texts.length > uriLimits.options) throw errors.limitExceeded(`The query string has more than ${uriLimits.options} options.`);
  return texts;
}

/** Splits an option at its first equals sign; the name may be percent-encoded as well (%24filter). */
export function splitOption(text: string): SplitOption {
  const equals = text.indexOf('=');
  const name = decodeQueryText(equals < 0 ? text : text.slice(0, equals), 'query string');
  return { name, value: equals < 0 ? undefined : decodeQueryText(text.slice(equals + 1), 'query string'), text };
}
